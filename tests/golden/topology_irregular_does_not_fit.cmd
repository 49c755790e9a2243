tourney topology show irregular:128,switches=3
