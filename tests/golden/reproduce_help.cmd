tourney reproduce --help
