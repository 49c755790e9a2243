tool=$(command -v tourney)
PATH= "$tool" plan single:4 alltoall --show picture --output picture.svg
