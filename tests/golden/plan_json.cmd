tourney plan single:2 allgather --bytes 1KiB --format json
