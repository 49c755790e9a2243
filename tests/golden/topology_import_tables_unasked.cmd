tourney topology import ../clusters/infiniband/good/names.topo ../clusters/infiniband/good/names.lft >/dev/null
