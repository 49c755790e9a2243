tourney topology check ../clusters/bad/no_hosts.dot
