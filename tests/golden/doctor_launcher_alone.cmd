tourney doctor --launcher 'mpirun -n 2'
