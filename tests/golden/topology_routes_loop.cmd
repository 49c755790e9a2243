tourney topology routes ring:4 --routing routes_loop.txt
