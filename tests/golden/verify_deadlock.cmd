tourney verify deadlock.txt
