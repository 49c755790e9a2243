tourney report plan single:4 bcast --pattern hypercube -o page.html
