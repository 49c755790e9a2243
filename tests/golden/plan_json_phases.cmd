tourney plan single:2 alltoall --algorithm shift --chunks 1 --show phases --format json
