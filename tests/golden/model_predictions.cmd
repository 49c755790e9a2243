tourney model --predict-only
