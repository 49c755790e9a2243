tourney simulate single:3 bcast --algorithm pipelined-linear --chunks 2 --json
