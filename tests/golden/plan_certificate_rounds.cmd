tourney plan single:4 alltoall --algorithm message-passing --chunks 1
