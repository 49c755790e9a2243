tourney topology import ../clusters/lldp/no_details/*.json
