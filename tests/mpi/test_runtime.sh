#!/bin/sh
# Runs the comparison program under the runtime: several rank counts, clusters, placements and algorithms;
# then where the runtime must go native and say so.
# usage: test_runtime.sh PROGRAM LIBRARY     (LIBRARY: what LD_PRELOAD gets, the runtime last)
# With TOURNEY_SAMPLE=n in the environment, every n-th of the first, and of the ways of ranks to be without the runtime.
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
program=$1
library=$2
. "$(dirname "$0")/../support/mpi_support"
. "$(dirname "$0")/../support/sample"
folder=$(mktemp -d)
output=$folder/output
trap 'rm -rf "$folder"' EXIT

# planned RANKS CLUSTER MAP ALGORITHMS [spawn] [connect]
planned() {
  is_sampled || return 0
  echo "planned: $*"
  timeout 120 mpirun -np "$1" -x ASAN_OPTIONS -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER="$2" -x TOURNEY_MAP="$3" \
    -x TOURNEY_ALGORITHM="$4" "$program" planned ${5:-} ${6:-}
}

# native WARNING RANKS [mpirun options]
native() {
  warning=$1 ranks=$2
  shift 2
  echo "native: $warning"
  timeout 120 mpirun -np "$ranks" -x ASAN_OPTIONS -x LD_PRELOAD="$library" "$@" "$program" native 2>"$output" ||
    { cat "$output"; exit 1; }
  count=$(grep -c "tourney: warning: .*$warning" "$output" || true)
  if [ "$count" -ne 1 ]; then
    echo "expected one warning with '$warning', got $count:"
    cat "$output"
    exit 1
  fi
}

by_switch=bcast=switch-ordered-chain,allgather=switch-ordered-ring,alltoall=shuffle
by_rank=bcast=pipelined-linear,allgather=ring,alltoall=shift
trees=bcast=binomial,allgather=ring,alltoall=shuffle
switch_trees=bcast=switch-ordered-binomial,allgather=switch-ordered-ring,alltoall=shift
# Debian's MPICH 4.0 can neither spawn under its own mpiexec nor open a port: without the runtime neither. What ranks said
# before they ended may be lost on its way through mpiexec, twice.
# fails_natively WAY
fails_natively() {
  for turn in 1 2 3; do
    ! timeout 120 mpirun -np 3 "$program" native $1 >"$output" 2>&1 || return 1
    ! grep -i "spawn\|port" "$output" || return 0
  done
  echo "$1 fails without the runtime, and doesn't say so:"
  cat "$output"
  exit 1
}

later=
for way in spawn connect; do
  if [ "${TOURNEY_TEST_MPI:-openmpi}" = mpich ] && fails_natively $way; then
    echo "not tried: $way, which fails without the runtime"
  else
    later="$later $way"
  fi
done
planned 3 single:4 block $by_switch $later
planned 2 single:2 block $by_switch
planned 4 switches:2+2 interleaved $by_switch
planned 5 switches:2+3 interleaved $by_rank
planned 6 switches:2+2 block $trees
planned 7 switches:3+3+2 interleaved $switch_trees
planned 9 switches:4+5 interleaved $by_switch
native "no cluster given" 3
native "isn't in the cluster" 3 -x TOURNEY_CLUSTER=single:4
native "can't be opened" 3 -x TOURNEY_CLUSTER=/no/such/file
native "wednesday" 3 -x TOURNEY_CLUSTER=single:4 -x TOURNEY_ALGORITHM=alltoall=wednesday

# Switched off: nothing is planned, nothing is said.
echo "switched off"
timeout 60 mpirun -np 3 -x ASAN_OPTIONS -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER=single:4 -x TOURNEY_MAP=block \
  -x TOURNEY_ALGORITHM=$by_rank -x TOURNEY_EXPLAIN=1 -x TOURNEY=0 "$program" native >"$output" 2>&1 ||
  { cat "$output"; exit 1; }
! grep "tourney" "$output" || { echo "expected nothing of the runtime"; exit 1; }

# Ranks without the runtime: one, all but one, the first, and of another program. The others find out by
# themselves, one of them warns, all collectives are native on all ranks, and the program ends well. The warning comes
# within a second and what a program takes without the runtime that does nothing but start and end. A busy machine may make
# it late twice.
echo "native: a rank without the runtime"
with="-x ASAN_OPTIONS -x LD_PRELOAD=$library -x TOURNEY_CLUSTER=single:4 -x TOURNEY_MAP=block"
LATE_MS_MAX=1000
cat >"$folder/start.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
END
mpicc "$folder/start.c" -o "$folder/start"

now_ms() {
  echo $(($(date +%s%N) / 1000000))
}

# The start of a program with what is preloaded before the runtime: sanitizers take seconds on some machines.
case $library in
*:*) others="-x ASAN_OPTIONS -x LD_PRELOAD=${library%:*}" ;;
*) others= ;;
esac
start_ms=1000000
for turn in 1 2 3; do
  began=$(now_ms)
  timeout 60 mpirun -np 3 $others "$folder/start"
  took=$(($(now_ms) - began))
  [ $took -ge $start_ms ] || start_ms=$took
done

# without_once RANK MPMD_WORD...: sets late_ms, after the start, for the warning.
without_once() {
  rank=$1
  shift
  : >"$output"
  began=$(now_ms)
  timeout 60 mpirun "$@" >"$output" 2>&1 &
  job=$!
  while kill -0 $job 2>/dev/null && ! grep -q "tourney: warning:" "$output"; do
    sleep 0.01
  done
  late_ms=$(($(now_ms) - began - start_ms))
  wait $job || { cat "$output"; exit 1; }
  if [ "$(grep -c "tourney: warning:" "$output")" -ne 1 ] || ! grep -q " 0 failures" "$output" ||
    ! grep -q "tourney: warning: rank $rank has no runtime.* all collectives are native" "$output"; then
    echo "expected one warning of rank $rank, and no failures:"
    cat "$output"
    exit 1
  fi
}

# without RANK MPMD_WORD...
without() {
  is_sampled || return 0
  for turn in 1 2 3; do
    without_once "$@"
    [ $late_ms -ge $LATE_MS_MAX ] || break
  done
  echo "found out $late_ms ms after the $start_ms ms of a start"
  [ $late_ms -lt $LATE_MS_MAX ] || { echo "too late"; exit 1; }
}
without 2 -np 2 $with "$program" native : -np 1 "$program" native
without 1 -np 1 $with "$program" native : -np 1 $with -x TOURNEY=0 "$program" native : -np 1 $with "$program" native
without 0 -np 1 "$program" native : -np 3 $with "$program" native
without 0 -np 2 "$program" native : -np 1 $with "$program" native
without 1 -np 1 $with "$program" native : -np 1 "$program" native : -np 1 $with "$program" native

[ "${TOURNEY_TEST_MPI:-openmpi}" = openmpi ] || exit 0
# Where PMIx isn't told to exchange what ranks say of themselves, nobody knows who has the runtime: all are native, and none
# waits. With the promise that all have it they meet, and all are served if all come; those that wait for one without the
# runtime say so after 10 s, and are ended here.
OMPI_MCA_pmix_base_collect_data=0
export OMPI_MCA_pmix_base_collect_data
unknown="can't be asked which ranks have the runtime.*TOURNEY_WAIT=1"
native "$unknown" 3 -x TOURNEY_CLUSTER=single:4 -x TOURNEY_MAP=block
echo "native: a rank without the runtime, and nobody knows"
timeout 60 mpirun -np 2 $with "$program" native : -np 1 "$program" native >"$output" 2>&1 || { cat "$output"; exit 1; }
if [ "$(grep -c "tourney: warning:" "$output")" -ne 1 ] || ! grep -q "tourney: warning: .*$unknown" "$output" ||
  ! grep -q " 0 failures" "$output"; then
  echo "expected one warning, and no failures:"
  cat "$output"
  exit 1
fi
TOURNEY_WAIT=1
export TOURNEY_WAIT
with="$with -x TOURNEY_WAIT"
planned 3 single:4 block $by_switch
echo "waiting: a rank without the runtime"
timeout -k 5 120 mpirun -np 2 $with "$program" native : -np 1 "$program" native >"$output" 2>&1 &
waits=$!
until grep -q "tourney: warning: still waiting in MPI_Init" "$output"; do
  kill -0 "$waits" 2>/dev/null || {
    echo "expected a warning of the ranks that wait:"
    cat "$output"
    exit 1
  }
  sleep 0.2
done
kill "$waits"
wait "$waits" || true
