tourney topology import ../clusters/lldp/leaf_spine/n*.json
