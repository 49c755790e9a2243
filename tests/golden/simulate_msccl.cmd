tourney simulate single:4 ../exchange/allgather_ring4.xml --bytes 2KiB
