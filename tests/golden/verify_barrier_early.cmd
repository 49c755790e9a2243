tourney verify barrier_early.txt
