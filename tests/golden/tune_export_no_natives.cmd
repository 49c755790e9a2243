tourney tune --profile profile_no_natives.json --export openmpi-rules -o /dev/stdout
