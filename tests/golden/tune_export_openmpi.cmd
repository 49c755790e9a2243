tourney tune --profile profile_natives.json --export openmpi-rules -o /dev/stdout
