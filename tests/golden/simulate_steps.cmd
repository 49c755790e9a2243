tourney plan switches:2+2 alltoall --algorithm shift --show steps | tourney simulate switches:2+2 /dev/stdin --bytes 1KiB
