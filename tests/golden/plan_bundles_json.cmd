tourney plan ../clusters/good/bundles.dot allgather --format json | sed -n '/"bundles"/,/]/p'
