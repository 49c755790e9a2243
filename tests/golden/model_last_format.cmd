tourney model jacunski --predict-only --json --csv && tourney model jacunski --predict-only --csv --format text && tourney model tam2000 --predict-only --csv --json
