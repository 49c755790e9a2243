tourney doctor --launcher 'mpirun -n 2' --cluster single:2 --ranks 3
