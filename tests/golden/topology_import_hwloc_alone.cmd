tourney topology import ../clusters/hwloc/good/[wn]*.xml --link 40Gbit/s
