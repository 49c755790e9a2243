tourney tune --export excel -o rules
