tourney topology routes dragonfly:9x4x2 --check --from h2 --to h68
tourney topology routes dragonfly:9x4x2 --routing up-down
tourney topology routes dragonfly:9x4x2 --routing shortest --check
