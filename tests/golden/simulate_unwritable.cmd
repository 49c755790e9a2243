tourney simulate single:3 alltoall --heatmap /nowhere/links.svg
