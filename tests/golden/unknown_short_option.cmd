tourney bench -xy
