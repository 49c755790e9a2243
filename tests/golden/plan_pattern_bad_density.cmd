tourney plan single:4 alltoall --pattern random:2
