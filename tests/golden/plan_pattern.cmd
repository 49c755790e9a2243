tourney plan single:4 alltoall --algorithm shift --pattern pattern.txt --chunks 1
