tourney topology show dragonfly:10x4x2,global=2
