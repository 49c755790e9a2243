tourney simulate --help
