tourney topology show ../clusters/good/leaf_spine.dot
