tourney model jacunski --predict-only --flits 128 --nodes 24 --csv
