tourney verify --all --quick
