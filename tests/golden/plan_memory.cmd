tourney plan single:4 allgather --bytes 1100MiB --algorithm combining | grep -A1 "^blocks"
