tourney verify overwritten.txt
