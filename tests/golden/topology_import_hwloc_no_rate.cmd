tourney topology import ../clusters/hwloc/good/wide.xml
