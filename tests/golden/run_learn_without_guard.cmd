tourney run --learn file --no-guard -- true
