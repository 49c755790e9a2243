tourney plan switches:2+2 barrier --algorithm hierarchical --show steps && tourney plan single:5 barrier --algorithm n-way-dissemination:3 --show phases
