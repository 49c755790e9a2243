tourney verify --in-place in_place_allreduce.txt in_place_reducescatter.txt
