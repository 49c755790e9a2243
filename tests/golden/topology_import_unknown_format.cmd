tourney topology import ../clusters/good/leaf_spine.dot --link 10Gbit/s
