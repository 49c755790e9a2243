tourney tune --help
