tourney topology check ../clusters/bad/disconnected.dot
