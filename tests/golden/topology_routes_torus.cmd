tourney topology routes torus:8x8 --check --from h0 --to h36
