cd "$(mktemp -d)" && tourney plan switches:3+4,link=20Mbit/s alltoall --bytes 8KiB,64KiB --algorithm tree-phases --store plans && ls plans; rm -r "$PWD"
