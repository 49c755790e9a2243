tourney plan single:20000 barrier --algorithm n-way-dissemination:19999
