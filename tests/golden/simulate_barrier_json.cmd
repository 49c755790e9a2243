tourney simulate single:4 barrier --algorithm dissemination --json | sed -n 1,9p
