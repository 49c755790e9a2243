tourney simulate ring:8 alltoall --one-lane --json
