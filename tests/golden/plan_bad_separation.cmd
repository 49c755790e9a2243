tourney plan single:4 alltoall --separate tokens,please
