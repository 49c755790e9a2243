tourney simulate single:3 ../exchange/alltoall3.goal --bytes 1KiB
