tourney doctor --list
