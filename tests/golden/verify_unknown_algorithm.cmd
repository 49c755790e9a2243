tourney verify --algorithm magic
