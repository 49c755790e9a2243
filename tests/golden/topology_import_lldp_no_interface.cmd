tourney topology import ../clusters/lldp/one_leaf/*.json --interface 'ib*'
