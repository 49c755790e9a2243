tourney verify --cluster single:0 --jobs 2
