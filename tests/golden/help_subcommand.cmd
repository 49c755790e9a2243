tourney help convert
