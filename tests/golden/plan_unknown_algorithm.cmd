tourney plan single:4 alltoall --algorithm ladder
