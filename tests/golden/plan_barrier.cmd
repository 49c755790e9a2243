tourney plan zones:4+4,delay=10ms barrier
