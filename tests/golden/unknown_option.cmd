tourney --verbose
