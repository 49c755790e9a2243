for file in ../clusters/hwloc/bad/*.xml; do tourney topology import --format hwloc $file --link 1Gbit/s; echo "exit code $?"; done
