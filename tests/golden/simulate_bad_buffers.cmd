tourney simulate single:4 alltoall --buffers channels:0
