tourney topology import ../clusters/ptm/topology.dot --link 25Gbit/s --trunk 100Gbit/s
