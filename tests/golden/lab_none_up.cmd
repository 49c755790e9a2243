TOURNEY_LAB=golden tourney lab run -- true
