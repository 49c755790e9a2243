tourney simulate switches:2+2,trunk=700Mbit/s alltoall --algorithm shift
