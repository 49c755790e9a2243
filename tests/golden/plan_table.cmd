tourney plan switches:5+11 alltoall --algorithm shift --bytes 16KiB --show table
