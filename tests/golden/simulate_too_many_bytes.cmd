tourney simulate single:2 bcast --flits 1000000000 --flit-bytes 1000000
