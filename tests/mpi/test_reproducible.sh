#!/bin/sh
# `tourney run --reproducible`: sums have the same bits for every count, cluster and placement; by a ring they haven't.
# usage: test_reproducible.sh PROGRAM TOOL
set -eu
program=$1 tool=$2
. "$(dirname "$0")/../support/mpi_support"
launcher=mpirun nonblocking="i\{0,1\}" # with MPICH nonblocking ones are native
[ "${TOURNEY_TEST_MPI:-openmpi}" = openmpi ] || { launcher=mpiexec.mpich nonblocking=; }
unset TOURNEY_CLUSTER TOURNEY_MAP TOURNEY_ALGORITHM TOURNEY_GUARD TOURNEY_LEARN TOURNEY_PROFILE
output=$(mktemp) errors=$(mktemp)
trap 'rm -f "$output" "$errors"' EXIT

# run CLUSTER MAP OPTION...: of 6 ranks; adds to $output
run() {
  cluster=$1 map=$2
  shift 2
  TOURNEY_MAP=$map timeout 100 "$tool" run --cluster "$cluster" --explain "$@" -- "$launcher" -n 6 "$program" >>"$output" 2>"$errors" ||
    { cat "$output" "$errors"; exit 1; }
}

# differing: how many different results each collective has, in the order of their names, nonblocking ones included
differing() {
  for name in allreduce reduce reducescatter; do
    sed -n "s/^$nonblocking$name\( [0-9a-f]\{16\} \)/\1/p" "$output" | sort -u | wc -l
  done | tr '\n' ' '
}

run single:6 block --reproducible
grep -q "^ *allreduce .*recursive-doubling" "$errors" || { cat "$errors"; exit 1; }
run switches:3+3,link=20Mbit/s interleaved --reproducible
run switches:2+1+3,link=1Gbit/s block --reproducible
run single:3 block --reproducible # two ranks a host
[ "$(grep -c '^reduce ' "$output")" -eq 16 ] || { echo "results are missing:"; cat "$output"; exit 1; }
[ "$(differing)" = "1 1 1 " ] || { echo "results that differ, by collective: $(differing)"; cat "$output"; exit 1; }
echo "reproducible: the same bits for 4 counts on 4 clusters"

: >"$output"
run single:6 block --algorithm allreduce=ring,reduce=switch-ordered-chain,reducescatter=switch-ordered-ring
run switches:3+3,link=20Mbit/s interleaved --algorithm allreduce=ring,reduce=switch-ordered-chain,reducescatter=switch-ordered-ring
set -- $(differing)
[ "$1" -gt 1 ] && [ "$2" -gt 1 ] && [ "$3" -gt 1 ] || { echo "rings and chains don't show in the bits: $*"; cat "$output"; exit 1; }

# An algorithm whose bits vary is refused; one that is reproducible isn't, nor one of another collective.
code=0
"$tool" run --cluster single:6 --reproducible --algorithm allreduce=ring -- "$launcher" -n 2 true 2>"$errors" || code=$?
[ "$code" -eq 2 ] && grep -q "allreduce=ring differ.*allreduce=recursive-doubling don't" "$errors" || { cat "$errors"; exit 1; }
code=0
TOURNEY_ALGORITHM=reduce=native "$tool" run --cluster single:6 --reproducible -- "$launcher" -n 2 true 2>"$errors" || code=$?
[ "$code" -eq 2 ] || { echo "native reduces pass for reproducible"; exit 1; }
: >"$output"
run single:6 block --reproducible --algorithm reduce=binomial,bcast=linear
echo "reproducible: all right"
