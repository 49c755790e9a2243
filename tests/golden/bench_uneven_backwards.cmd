tourney bench --uneven 8:1
