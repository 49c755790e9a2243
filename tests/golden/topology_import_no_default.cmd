tourney topology import ../clusters/slurm/bad/no_default.yaml --link 10Gbit/s
