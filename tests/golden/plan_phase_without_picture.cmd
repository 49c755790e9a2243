tourney plan single:4 alltoall --phase 1
