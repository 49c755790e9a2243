# the last two columns are times
tourney plan switches:8+8,link=20Mbit/s alltoall --algorithm tree-phases --summary-csv | sed 's/[0-9.]*,[0-9.]*$/PLAN,VERIFY/'
