tourney plan ring:6,link=100Mbit/s,trunk=10Mbit/s allgather --algorithm switch-ordered-ring
