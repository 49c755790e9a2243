tourney topology check ../clusters/bad/host_given_twice.dot
