tourney report --help && tourney report plan --help | head -n 1 && tourney report bench --help | head -n 1
