TOURNEY_SITE= tourney doctor --launcher 'mpirun -n 2'
