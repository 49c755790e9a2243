tourney plan ../clusters/bad/disconnected.dot alltoall
