tourney report atlas
