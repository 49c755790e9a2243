tourney verify ../exchange/alltoall3.goal --collective alltoall
