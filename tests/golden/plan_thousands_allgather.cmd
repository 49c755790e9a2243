tourney plan single:2000 allgather --bytes 64KiB | grep -E '^(algorithm|blocks|data|  gap)'
