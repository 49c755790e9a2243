tourney
