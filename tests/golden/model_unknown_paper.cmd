tourney model jacobson
