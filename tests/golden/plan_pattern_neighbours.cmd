tourney plan torus:4x4 alltoall --algorithm phases-unidirectional --pattern nearest-neighbour --chunks 1 --show phases
