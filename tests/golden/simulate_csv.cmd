tourney simulate single:8 alltoall --algorithm shift --csv --bytes 1KiB
