tourney simulate switches:4+4 barrier --algorithm dissemination --overhead 1us
