tourney plan ring:8 alltoall --algorithm phases --chunks 1 --separate barrier --show phases --format json | sed -n 1,51p
