TOURNEY_LAB=golden tourney doctor
