TOURNEY_LAB=golden tourney bench --launcher mpirun --cluster single:2 --congestion bbr
