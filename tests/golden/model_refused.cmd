tourney model hinrichs --side 6 --bytes 4
