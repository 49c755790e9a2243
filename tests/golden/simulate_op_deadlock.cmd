tourney simulate single:2 deadlock.txt
