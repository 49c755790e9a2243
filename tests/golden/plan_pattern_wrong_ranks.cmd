tourney plan single:5 alltoall --pattern pattern.txt
