tourney topology show hammingmesh:2x1,boards=2x2
