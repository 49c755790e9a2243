tourney topology import ../clusters/slurm/good/fat_tree.conf --link 25Gbit/s --interface eth1
