tourney topology import
