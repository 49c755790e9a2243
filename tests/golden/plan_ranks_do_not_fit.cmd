tourney plan single:4 alltoall --ranks 257
