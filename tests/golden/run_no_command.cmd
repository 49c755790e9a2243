tourney run --explain
