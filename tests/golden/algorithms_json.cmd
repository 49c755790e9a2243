tourney algorithms --cluster switches:2+3 --format json | sed -n 1,60p
