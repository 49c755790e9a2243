tourney --version
