tourney topology import ../clusters/infiniband/good/parallel_cables.topo ../clusters/infiniband/good/parallel_cables.lft --multipath flow
