tourney topology import ../clusters/slurm/good/part_leaves.conf ../clusters/slurm/good/part_spines.conf --link 10Gbit/s >/dev/null
