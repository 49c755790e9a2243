tourney plan switches:5+27,link=20Mbit/s alltoall --bytes 16KiB --algorithm shuffle --show budgets
