tourney plan single:30 alltoall --algorithm shift --chunks 1 --show table
