#!/bin/sh
# Plans that a program makes itself, without the runtime: on several clusters, with fewer hosts than ranks, and watched:
# a plan that has run once allocates nothing.
# usage: test_own_plans.sh PROGRAM [WATCH]     (PROGRAM: tests/mpi/own_plans.c, WATCH: tests/mpi/watch.c)
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
program=$1
. "$(dirname "$0")/../support/mpi_support"
unset TOURNEY_CLUSTER TOURNEY_ALGORITHM LD_PRELOAD

# run RANKS CLUSTER MAP
run() {
  timeout 120 mpirun -np "$1" -x ASAN_OPTIONS -x TOURNEY_MAP="$3" "$program" "$2"
}

run 1 single:2 block
run 5 switches:3+3 interleaved
run 8 ring:8 block
run 6 switches:2+2 block
if [ $# -gt 1 ]; then
  LD_PRELOAD=$2
  export LD_PRELOAD
  run 4 switches:2+2 interleaved
fi
