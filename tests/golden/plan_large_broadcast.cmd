tourney plan switches:128+128+128+128 bcast --bytes 1MiB | grep -E '^(algorithm|runners|blocks|data|  gap)'
