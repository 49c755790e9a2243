tourney model jeannot2007 --nodes 0
