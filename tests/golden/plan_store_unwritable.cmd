tourney plan single:4 alltoall --store /proc/none
