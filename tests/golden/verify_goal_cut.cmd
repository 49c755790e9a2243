tourney verify ../exchange/cut.goal
