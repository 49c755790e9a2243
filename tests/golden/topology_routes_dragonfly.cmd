tourney topology routes dragonfly:9x4x2 --routing shortest --from h2 --to h68
tourney topology routes dragonfly:9x4x2 --check
