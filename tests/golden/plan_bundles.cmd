tourney plan ../clusters/good/bundles.dot alltoall
