tourney report --help && tourney report plan --help
