tourney plan single:4 barrier --format json | sed -n 1,60p
