tourney doctor --cure
