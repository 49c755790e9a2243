tourney convert ../exchange/alltoall3.goal --to steps
