tourney help nonsense
