tourney simulate single:4 bcast --tokens never
