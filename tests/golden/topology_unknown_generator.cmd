tourney topology show ring:16
