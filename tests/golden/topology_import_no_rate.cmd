tourney topology import ../clusters/slurm/good/fat_tree.conf
