tourney verify missing.txt
