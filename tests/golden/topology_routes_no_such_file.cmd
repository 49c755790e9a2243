tourney topology routes switches:2+2 --routing shrotest
