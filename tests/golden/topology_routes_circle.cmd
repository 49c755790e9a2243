tourney topology routes ring:9 --routing shortest --check
