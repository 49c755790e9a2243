tourney plan single:3 alltoall --pattern pattern_ragged.txt
