tourney topology import ../clusters/slurm/good/several.yaml --link 10Gbit/s --topology topo-block >/dev/null
