tourney plan single:4 alltoall --bytes 8KiB,64KiB
