tourney plan ../clusters/bad/lonely_host.dot bcast
