tourney simulate torus:8x8,latency=0us alltoall --algorithm phases --flits 64 --separate switch
