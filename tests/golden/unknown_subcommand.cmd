tourney simulate
