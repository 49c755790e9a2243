TOURNEY_LAB=golden tourney bench --bytes 1KiB
