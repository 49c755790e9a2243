tourney topology import ../clusters/ptm/topology.dot --link 25Gbit/s --topology dc1
