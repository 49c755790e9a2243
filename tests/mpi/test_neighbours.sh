#!/bin/sh
# Runs the comparison program of the neighbourhood collectives under the runtime: by plans that are asked for and proved,
# and by what the guard tries; native where the algorithm that is asked for has all ranks send to all. And calls by Fortran's
# three bindings, which are served, and counted once.
# usage: test_neighbours.sh quick|all|fortran PROGRAM LIBRARY
#   PROGRAM  neighbours.c, built; for fortran: neighbours_calls.F90
#   LIBRARY  what LD_PRELOAD gets, the runtime last
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
part=$1 program=$2 library=$3
. "$(dirname "$0")/../support/mpi_support"
export TOURNEY_EXPLAIN=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
output=$folder/output

# run RANKS CLUSTER MAP ALGORITHMS PROGRAM_WORD...: ALGORITHMS may be empty
run() {
  echo "neighbours: $*"
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

# run_fortran MPIRUN_WORD...
run_fortran() {
  timeout 100 mpirun -np 5 "$@" "$folder/calls" >"$output" 2>&1 && grep -q "^0 wrong" "$output" || { cat "$output"; exit 1; }
}

planned=alltoall=planned-phases
export TOURNEY_PROVE=1
if [ "$part" = fortran ]; then
  if ! command -v mpifort >/dev/null || ! mpifort --version >/dev/null 2>&1; then
    echo "skipped: no mpifort with a Fortran compiler (package gfortran)"
    exit 77
  fi
  for binding in 1 2 3; do # mpif.h, use mpi, use mpi_f08
    echo "neighbours: Fortran's binding $binding"
    mpifort -fallow-argument-mismatch -w -DBINDING=$binding "$program" -o "$folder/calls"
    run_fortran
    run_fortran -x ASAN_OPTIONS -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER=switches:3+2 -x TOURNEY_MAP=block \
      -x TOURNEY_ALGORITHM=$planned
    for form in allgather allgatherv alltoall alltoallv alltoallw; do
      calls=2
      [ "${TOURNEY_TEST_MPI-}$binding$form" != mpich3alltoallw ] || calls=1 # its own fails on the other topology
      says "^  neighbor_$form  *$calls  *[0-9]*  *planned-phases .*proved"
    done
    ! grep "^  neighbor_.* native " "$output" || exit 1
  done
  exit 0
fi
run 4 single:4 block $planned planned
[ "$part" = all ] || exit 0
run 8 switches:4+4,link=20Mbit/s interleaved $planned planned
for form in allgather allgatherv alltoall alltoallv alltoallw; do
  says "neighbor_$form .* planned-phases .*proved"
done
run 5 mesh:2x3 block $planned planned
run 8 switches:4+4,link=20Mbit/s interleaved alltoall=open-shop any # native where ranks have bytes for themselves alone
for form in allgather allgatherv alltoall alltoallv alltoallw; do
  says "neighbor_$form .* open-shop .*proved"
done
export TOURNEY_PROVE=0
run 16 torus:4x4,link=20Mbit/s block $planned planned
says "neighbor_alltoall .* planned-phases "
run 4 single:4 block alltoall=shift native
says "neighbor_alltoall .* native .*has every rank send to all"
run 4 single:4 block alltoall=native native
run 6 single:6,link=20Mbit/s block "" any 6
says "neighbor_alltoallv .* native .*no sizes are agreed on"
TOURNEY_GUARD=0 run 4 switches:2+2,link=1Mbit/s block "" any
says "neighbor_alltoall .* planned-phases .*the fastest predicted here"
