tourney plan single:4 alltoall --algorithm bruck --pattern pattern.txt
