cd "$(mktemp -d)" && tourney plan ring:8 alltoall --algorithm phases --chunks 1 --separate tokens --output plan.txt >/dev/null; tourney verify plan.txt --cluster ring:8 --separated; rm -r "$PWD"
