tourney simulate single:4 alltoall --timeline ranks.png
