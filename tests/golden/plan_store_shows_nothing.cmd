tourney plan single:4 alltoall --store plans --show steps
