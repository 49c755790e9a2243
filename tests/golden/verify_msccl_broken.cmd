tourney verify ../exchange/alltoall_race3.xml
