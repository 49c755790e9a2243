tourney tune --profile profile_natives.json --export mpich-json -o /dev/stdout
