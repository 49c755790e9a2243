tourney topology import ../clusters/infiniband/bad/ends_contradict.topo
