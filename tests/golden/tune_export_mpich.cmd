tourney tune --profile profile_natives.json --export mpich-json --base mpich_base.json -o /dev/stdout
