tourney simulate single:4 deadlock.txt --ranks 3
