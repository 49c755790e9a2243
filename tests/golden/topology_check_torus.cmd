tourney topology check torus:4x4x4
