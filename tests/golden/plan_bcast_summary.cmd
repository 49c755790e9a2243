tourney plan switches:8+8,link=20Mbit/s bcast --bytes 1MiB --root 3
