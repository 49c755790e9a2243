#!/bin/sh
# Open MPI reads the rules that `tourney tune --export openmpi-rules` writes, and goes by them: for the ranks and the sizes
# that they are for, and no others. (The profile is made up: the algorithm for two ranks is its fastest for three, which
# Open MPI refuses to run.)
# usage: test_rules.sh PROGRAM TOURNEY PROFILE     (PROGRAM: tests/mpi/rules.c; PROFILE: tests/golden/profile_natives.json)
set -eu
program=$1
. "$(dirname "$0")/../support/mpi_support"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$2" tune --profile "$3" --export openmpi-rules -o "$folder/rules"

# run RANKS WANTED: what the program says, in one line
run() {
  timeout 60 mpirun -np "$1" -mca coll_tuned_use_dynamic_rules 1 -mca coll_tuned_dynamic_rules_filename "$folder/rules" \
    "$program" >"$folder/out" 2>&1 || { cat "$folder/out"; exit 1; }
  said=$(tr '\n' ' ' <"$folder/out")
  [ "$said" = "$2 " ] || { echo "$1 ranks: expected '$2', got '$said'"; exit 1; }
}
run 3 "64 served 512 served 513 refused 4096 refused"
run 2 "64 served 512 served 513 served 4096 served"
run 4 "64 served 512 served 513 served 4096 served"
