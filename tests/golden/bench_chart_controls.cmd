TOURNEY_LAB=golden tourney bench --congestion cubic,bbr --chart rows.svg
