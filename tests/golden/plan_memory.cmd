tourney plan single:4 allgather --bytes 1100MiB --algorithm combining --chunks 64 | grep -A1 "^blocks"
