tourney plan single:4 bcast --root 4
