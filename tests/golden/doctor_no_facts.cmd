tourney doctor --facts nosuch.txt
