tourney plan single:4 alltoall --pattern pattern_short.txt
