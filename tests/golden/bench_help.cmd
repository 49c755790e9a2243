tourney bench --help
