tourney plan single:4 allgather --pattern hypercube
