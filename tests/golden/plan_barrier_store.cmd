tourney plan single:4 barrier --store plans
