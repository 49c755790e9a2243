TOURNEY_LAB=golden tourney discover --check torus:4x4
