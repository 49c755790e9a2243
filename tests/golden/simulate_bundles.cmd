tourney simulate ../clusters/good/bundles.dot alltoall --bytes 4KiB
