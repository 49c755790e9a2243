tourney plan ring:4 allgather --routing routes_loop.txt
