tourney topology show single:4,link=20Mbyte/s
