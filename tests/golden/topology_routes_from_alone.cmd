tourney topology routes switches:2+2 --from h0
