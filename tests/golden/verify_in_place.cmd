tourney verify in_place.txt && tourney verify --in-place in_place.txt
