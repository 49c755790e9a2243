tourney simulate switches:2+2 bcast --algorithm switch-ordered-chain --bytes 64KiB --tokens among-data
