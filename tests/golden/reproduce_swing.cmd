tourney reproduce desensi2024 --csv
