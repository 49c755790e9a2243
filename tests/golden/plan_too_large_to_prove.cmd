tourney plan single:4000 alltoall --bytes 64KiB
