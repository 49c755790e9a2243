tourney topology import absent.conf --link 25Gbit/s
