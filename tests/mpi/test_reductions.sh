#!/bin/sh
# Runs the comparison program of reductions under the runtime: by plans that are asked for, proved as they run, by what
# the guard tries, and by what is predicted.
# usage: test_reductions.sh PROGRAM LIBRARY     (LIBRARY: what LD_PRELOAD gets, the runtime last)
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
program=$1 library=$2
. "$(dirname "$0")/../support/mpi_support"
export TOURNEY_EXPLAIN=1
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# run RANKS CLUSTER MAP ALGORITHMS EXPECTED: ALGORITHMS may be empty
run() {
  echo "reductions: $*"
  timeout 200 mpirun -np "$1" -x ASAN_OPTIONS -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER="$2" -x TOURNEY_MAP="$3" \
    ${4:+-x TOURNEY_ALGORITHM="$4"} "$program" "$5" >"$output" 2>&1 || { cat "$output"; exit 1; }
  grep " calls compared, 0 failed" "$output" || { cat "$output"; exit 1; }
}

# says TEXT: the last run's output has a line with it, a basic regular expression.
says() {
  grep -q "$1" "$output" || { echo "expected '$1':"; cat "$output"; exit 1; }
}

in_order=reduce=binomial,allreduce=recursive-doubling,reducescatter=pairwise
run 4 single:4 block $in_order ordered
TOURNEY_PROVE=1 run 5 switches:3+3,link=20Mbit/s interleaved $in_order ordered
says "reducescatter .*; proved"
run 3 single:3,link=20Mbit/s block $in_order planned
# Turned round, with parts that rank 0 hands out and without.
TOURNEY_PROVE=1 run 4 switches:2+2,link=20Mbit/s interleaved \
  reduce=two-tree,allreduce=ring,reducescatter=contention-free-rings planned
says "reduce .* two-tree .*; proved"
says "allreduce .* ring .*; proved"
says "reducescatter .* contention-free-rings .*; proved"
says "allreduce .* native .*an operation of the program's own"
run 4 switches:2+2,link=20Mbit/s block "" any
says "allreduce .* native .*have gaps"
# Those of the program's own are served in the ranks' order, whatever is the fastest for the MPI's.
TOURNEY_GUARD=0 run 4 switches:2+2,link=20Mbit/s block "" long
for planned in "reduce .* binomial" "allreduce .* recursive-doubling" "reducescatter .* pairwise" "reduce_scatter .* pairwise"; do
  says "$planned .* the fastest predicted here"
done
TOURNEY_PROVE=1 TOURNEY_GUARD=0 run 5 single:5,link=20Mbit/s interleaved "" long
