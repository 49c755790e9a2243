tourney topology show ../clusters/good/multipath.dot && tourney topology bounds ../clusters/good/multipath.dot
