tourney plan torus:3x3 allgather --algorithm ring --chunks 1 --show picture --phase 2
