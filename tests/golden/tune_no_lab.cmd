TOURNEY_LAB=golden tourney tune -o profile.json
