cd "$(mktemp -d)" && printf 'graph { s0 -- "n[0-1]"; s1 -- "n[2-3]"; s0 -- s1; s0 -- storage; s1 -- storage }\n' >room.dot && tourney topology check room.dot; rm -r "$PWD"
