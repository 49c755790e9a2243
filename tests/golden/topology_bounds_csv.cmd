tourney topology bounds single:16,link=20Mbit/s --bytes 8KiB,64KiB --csv
