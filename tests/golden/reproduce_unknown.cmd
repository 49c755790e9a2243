tourney reproduce nonsense
