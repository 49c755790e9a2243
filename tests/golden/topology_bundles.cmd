tourney topology show ../clusters/good/bundles.dot && tourney topology dot ../clusters/good/bundles.dot
