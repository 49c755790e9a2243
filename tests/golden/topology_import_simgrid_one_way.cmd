tourney topology import ../clusters/simgrid/bad/one_way.xml
