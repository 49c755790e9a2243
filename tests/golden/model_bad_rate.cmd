tourney model axida2009 --rate fast
