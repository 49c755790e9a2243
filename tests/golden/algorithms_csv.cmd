tourney algorithms --ranks 9 --format csv
