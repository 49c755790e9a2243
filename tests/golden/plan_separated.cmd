tourney plan ring:8 alltoall --algorithm phases --chunks 1 --separate tokens
