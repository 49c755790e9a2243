tourney simulate switches:2+2,latency=0us allgather --algorithm ring --links --switching store-and-forward
