tourney plan single:2000 alltoall --bytes 64KiB | grep -E '^(algorithm|blocks|data|  gap)'
