tourney reproduce --csv --json
