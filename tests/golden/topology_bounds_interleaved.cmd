tourney topology bounds switches:8+8 --bytes 64KiB --map interleaved
