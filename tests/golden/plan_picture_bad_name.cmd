tourney plan single:4 alltoall --show picture --output picture.pdf
