tourney run --cluster single:4 --store no/such/folder -- true
