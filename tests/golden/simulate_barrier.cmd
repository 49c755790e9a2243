tourney simulate mesh:4x3 alltoall --algorithm shift --separate barrier --barrier 5us --overhead 1us
