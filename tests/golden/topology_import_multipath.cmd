tourney topology import ../clusters/lldp/leaf_spine/*.json --trunk 40Gbit/s --multipath packet
