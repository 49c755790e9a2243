tourney plan zones:2+3,delay=1ms alltoall --algorithm shift --chunks 1
