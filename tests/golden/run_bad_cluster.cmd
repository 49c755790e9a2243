tourney run --cluster ../clusters/bad/disconnected.dot -- true
