tourney tune single:4
