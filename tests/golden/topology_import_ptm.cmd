tourney topology import ../clusters/ptm/topology.dot --link 25Gbit/s --trunk 100Gbit/s --interface eth1 --without 'oob-*'
