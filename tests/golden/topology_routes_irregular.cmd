tourney topology routes irregular:128,switches=10,seed=7 --check
