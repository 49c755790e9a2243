tourney plan switches:1+2 alltoall --algorithm shift --chunks 1 --show picture --phase 2
