tourney topology show absent.dot
