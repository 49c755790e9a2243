tourney topology routes ring:4 --routing routes.txt --check --from h0 --to h2
