tourney reproduce desensi2025/small-jobs --csv
