#!/bin/bash
# Memory that runs out at each allocation of the runtime's, on one rank or on all: the data is right, or the job ends
# with MPI_ERR_NO_MEM, as natively where the MPI has no memory. Nothing hangs.
# Which allocations there are doesn't depend on chance, so that one round has all cases.
# usage: test_starved.sh PROGRAM LIBRARY     (starved.c, and a runtime with starve.c)
# With TOURNEY_SAMPLE=n in the environment, every n-th of the algorithms and ranks.
set -u
program=$1 library=$2
. "$(dirname "$0")/../support/mpi_support"
. "$(dirname "$0")/../support/sample"
export TOURNEY_CLUSTER=switches:3+2 TOURNEY_MAP=block TOURNEY_ALGORITHM=bcast=binomial
# Most of the time mpirun waits for the other ranks of a job that has ended. So several jobs run at once.
at_once=8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "fault" >>"$folder/faults"
  echo "FAILED: $*"
  tail -n 15 "$output"
}

# start WORD...: into $output
start() {
  timeout -k 5 120 mpirun -np 5 -x LD_PRELOAD="$library" "$@" >"$output" 2>&1
}

# starve ALGORITHM TYPE WHO: from each allocation that ends the job on to the next.
starve() {
  local first=1 last
  while [ "$first" -lt 500 ]; do
    start "$program" "$@" "$first"
    last=$(sed -n 's/^all \([0-9]*\) allocations$/\1/p' "$output")
    if [ -n "$last" ]; then
      [ "$last" -ge 5 ] || fail "$* has but $last allocations"
      echo "$last" >>"$folder/allocations"
      echo "$*: $last allocations"
      return
    fi
    last=$(sed -n 's/^allocation \([0-9]*\): rank [0-9]*: no memory$/\1/p' "$output" | head -n 1)
    if [ -z "$last" ] || grep -q "another error\|wrong data" "$output"; then
      fail "$* from allocation $first on"
      return
    fi
    echo "$* $last" >>"$folder/errors"
    first=$((last + 1))
  done
  fail "$* doesn't end"
}

# init RANK: in MPI_Init, until the runtime needs no more there. All calls are native, or served.
init() {
  local n=0
  export STARVED_RANK=$1
  while [ "$n" -lt 60 ]; do
    n=$((n + 1))
    export STARVED_FROM=$n
    start "$program" bcast=binomial plain 0 0
    grep -q "^all -1 alloc" "$output" || fail "allocation $n of MPI_Init, rank $1"
    grep -q "tourney: warning" "$output" || break
  done
  echo "MPI_Init, rank $1: $n allocations"
}

# beside COMMAND...: at the same time as what follows.
beside() {
  is_sampled || return
  [ "$(jobs -rp | wc -l)" -lt "$at_once" ] || wait -n
  output=$folder/output-$((++beside))
  "$@" &
}

beside=0
beside init 0
beside init 3
for who in all 3 0; do # the longest first
  beside starve bcast=binomial plain $who
  beside starve bcast=switch-circulant strided $who
  beside starve allgather=ring plain $who
  beside starve allgather=combining strided $who
  beside starve alltoall=tree-phases plain $who
  beside starve alltoall=bruck strided $who
  beside starve alltoall=planned-phases neighbours $who
  beside starve alltoall=open-shop uneven $who
done
wait
touch "$folder/faults" "$folder/errors"
faults=$(wc -l <"$folder/faults")
echo "starved: $(awk "{ n += \$1 } END { print n }" "$folder/allocations") allocations, $(wc -l <"$folder/errors") of them ended the job with an" \
  "error, $faults faults"
[ "$faults" -eq 0 ]
