tourney topology import ../clusters/infiniband/good/two_ports.topo
