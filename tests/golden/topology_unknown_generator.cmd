tourney topology show star:16
