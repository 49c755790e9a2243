#!/bin/sh
# Runs the comparison program of the uneven collectives under the runtime: native, by plans that are asked for, and
# by what the guard tries. Of algorithms that put several blocks in a message, uneven calls are native.
# usage: test_uneven.sh quick|all|untold PROGRAM LIBRARY     (LIBRARY: what LD_PRELOAD gets, the runtime last; untold: of
#   PROGRAM untold.c, where one rank alone can't tell its counts)
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
part=$1 program=$2 library=$3
. "$(dirname "$0")/../support/mpi_support"
export TOURNEY_EXPLAIN=1
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# run RANKS CLUSTER MAP ALGORITHMS PROGRAM_WORD...: ALGORITHMS may be empty
run() {
  echo "uneven: $*"
  ranks=$1 cluster=$2 map=$3 algorithms=$4
  shift 4
  timeout 200 mpirun -np "$ranks" -x ASAN_OPTIONS -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER="$cluster" \
    -x TOURNEY_MAP="$map" ${algorithms:+-x TOURNEY_ALGORITHM="$algorithms"} "$program" "$@" >"$output" 2>&1 ||
    { cat "$output"; exit 1; }
  grep " calls compared, 0 failed" "$output" || { cat "$output"; exit 1; }
}

# says TEXT: the last run's output has a line with it, a basic regular expression.
says() {
  grep -q "$1" "$output" || { echo "expected '$1':"; cat "$output"; exit 1; }
}

by_switch=allgather=switch-ordered-ring,alltoall=shuffle
if [ "$part" = quick ]; then
  run 4 single:4 block $by_switch planned
  exit 0
fi
if [ "$part" = untold ]; then
  run 4 single:4 block alltoall=open-shop
  says "alltoallw .* native .*counts aren't known"
  exit 0
fi
run 3 single:3 block $by_switch planned
run 5 switches:2+3,link=20Mbit/s interleaved $by_switch planned
run 5 single:5 block allgather=ring,alltoall=shift planned
run 6 switches:3+3,link=20Mbit/s block allgather=two-way-ring,alltoall=tree-phases any
run 4 single:4 block allgather=round-robin,alltoall=pairwise planned
run 7 single:7 block allgather=circulant,alltoall=shift planned
run 4 mesh:2x2 block allgather=contention-free-rings,alltoall=planned-phases any
run 8 single:8,link=20Mbit/s block allgather=simultaneous-broadcast,alltoall=message-passing planned
run 5 switches:2+3,link=20Mbit/s interleaved allgather=ring,alltoall=open-shop any
says "alltoallv .* open-shop "
says "alltoallw .* open-shop "
run 4 torus:2x2 block allgather=ring,alltoall=open-shop any
run 6 switches:1+2,link=20Mbit/s interleaved allgather=ring,alltoall=hierarchical-open-shop any
says "alltoallv .* hierarchical-open-shop "
run 3 single:3 block allgather=ring,alltoall=hierarchical-open-shop any
says "alltoallv .* native .*several ranks on one of them"
run 4 single:4 block allgather=combining,alltoall=bruck native
says "alltoallv .* native .*puts several in a message"
says "allgatherv .* native .*puts several in a message"
run 4 single:4,link=20Mbit/s block "" any 6
says "alltoallw .* native .*no sizes are agreed on"
