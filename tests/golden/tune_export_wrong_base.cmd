tourney tune --profile profile_natives.json --export mpich-json --base profile_natives.json -o /dev/stdout
