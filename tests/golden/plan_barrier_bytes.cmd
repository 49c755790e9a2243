tourney plan single:4 barrier --bytes 4KiB
