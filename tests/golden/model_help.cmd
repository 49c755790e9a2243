tourney model --help
