tourney verify right.txt
