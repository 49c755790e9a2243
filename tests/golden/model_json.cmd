tourney model tam2000 --predict-only --bytes 1MB --fan-out 4 --nodes 9 --json
