tourney plan single:8 alltoall --algorithm shift --chunks 1000000
