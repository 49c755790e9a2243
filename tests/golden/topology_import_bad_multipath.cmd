tourney topology import ../clusters/slurm/good/two_levels.conf --link 1Gbit/s --multipath ecmp
