cd "$(mktemp -d)" && tourney plan single:3 allgather --bytes 1KiB --show phases --output plan.txt && ls && tourney verify plan.txt; rm -r "$PWD"
