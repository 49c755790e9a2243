tourney plan switches:2+1 allgather --chunks 1 --window 0 --show steps
