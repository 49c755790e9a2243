tourney plan single:4 alltoall --bytes 0
