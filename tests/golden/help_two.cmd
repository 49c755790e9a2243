tourney help plan lab
