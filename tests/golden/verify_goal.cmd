tourney verify ../exchange/alltoall3.goal --cluster single:3 && tourney verify ../exchange/binomial8.goal --collective bcast --bytes 4KiB
