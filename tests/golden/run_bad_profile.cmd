tourney run --profile profile_bad_point.json -- true
