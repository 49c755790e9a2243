tourney topology bounds single:1 --ranks 65
