tourney topology dot single:4 --link 25Gbit/s
