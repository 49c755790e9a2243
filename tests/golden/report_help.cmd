tourney report --help && tourney report plan --help && tourney report bench --help
