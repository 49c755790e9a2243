tourney topology bounds single:4 --bytes 64KiB --json --csv && tourney topology bounds single:4 --bytes 64KiB --csv --json
