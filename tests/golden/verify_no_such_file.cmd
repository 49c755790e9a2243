tourney verify absent.txt
