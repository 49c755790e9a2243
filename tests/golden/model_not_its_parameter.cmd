tourney model tam2000 --flits 3
