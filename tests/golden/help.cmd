tourney --help
