tourney verify ../exchange/alltoall_pairs3.xml --cluster switches:1+2 --bytes 1KiB --links && tourney verify ../exchange/allgather_ring4.xml
