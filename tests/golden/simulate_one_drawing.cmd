tourney simulate single:2 bcast --timeline drawn.svg --heatmap drawn.svg
