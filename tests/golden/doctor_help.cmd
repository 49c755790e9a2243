tourney doctor --help
