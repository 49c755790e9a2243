tourney verify --cluster ring:8 --collective alltoall --algorithm phases --jobs 1 | sed 's/ in [0-9.]* s$/ in some seconds/'
