tourney plan single:2 bcast --algorithm switch-ordered-chain --chunks 2 --window 1 --show steps --format json
