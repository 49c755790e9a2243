tourney convert right.txt
