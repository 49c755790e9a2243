tourney topology simgrid switches:1+2,link=100Mbit/s,trunk=1Gbit/s,latency=20us
