tourney simulate single:4 alltoal
