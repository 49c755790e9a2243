tourney topology import ../clusters/infiniband/good/ring.topo --routes /dev/null
