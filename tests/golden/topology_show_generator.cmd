tourney topology show switches:8+8,link=20Mbit/s,trunk=100Mbit/s
