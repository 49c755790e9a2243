cd "$(mktemp -d)" && tourney plan ring:8 alltoall --algorithm phases --chunks 1 --output plan.txt >/dev/null; tourney verify plan.txt --cluster ring:8 --separated; code=$?; rm -r "$PWD"; exit $code
