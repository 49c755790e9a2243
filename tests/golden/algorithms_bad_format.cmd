tourney algorithms --format xml
