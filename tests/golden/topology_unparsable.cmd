tourney topology check ../clusters/bad/unparsable.dot
