tourney convert ../exchange/allgather_ring4.xml --to steps
