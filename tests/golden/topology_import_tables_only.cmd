tourney topology import ../clusters/infiniband/good/ring.lft
