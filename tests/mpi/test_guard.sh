#!/bin/sh
# The guard: all ranks are served alike by what is faster, trials end, what was learnt is kept and handed on.
# usage: test_guard.sh PROGRAM LIBRARY SLOW     (PROGRAM: guarded.c, SLOW: slow_mpi.c, LIBRARY: what LD_PRELOAD gets, the runtime last)
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
program=$1 library=$2 slow=$3
. "$(dirname "$0")/../support/mpi_support"
unset TOURNEY_ALGORITHM TOURNEY_GUARD TOURNEY_LEARN TOURNEY_PROVE
export TOURNEY_CLUSTER=switches:2+2,link=20Mbit/s TOURNEY_MAP=block TOURNEY_EXPLAIN=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
output=$folder/output

fail() {
  echo "$*; the output:"
  cat "$output"
  exit 1
}

# run SLOW RANKS ARGUMENTS...: with natively slow collectives, or slow plans, or neither; by so many microseconds
slow_us=10000
run() {
  echo "$*"
  what=$1 ranks=$2
  shift 2
  SLOW=$what SLOW_US=$slow_us timeout 100 mpirun -np "$ranks" -x ASAN_OPTIONS -x LD_PRELOAD="$library:$slow" \
    "$program" "$@" >"$output" 2>"$folder/errors" && failed= || failed="failed or hung"
  # Two files, as mpirun passes both on in pieces: one could begin within a line of the other.
  cat "$folder/errors" >>"$output"
  [ -z "$failed" ] || fail "$failed"
  ! grep -q "RANKS DIFFER\|[1-9][0-9]* wrong" "$output" || fail "wrong"
}

says() {
  grep -q "$1" "$output" || fail "expected '$1'"
}

says_not() {
  ! grep -q "$1" "$output" || fail "didn't expect '$1'"
}

# Whichever is slow: the other serves, and the table says so with the times.
run native 4 settle 60
says "^bcast: 0 wrong, all ranks alike, [1-9][0-9]* planned, last [^n]"
says "^alltoall: 0 wrong, all ranks alike, [1-9][0-9]* planned, last [^n]"
says "^  alltoall  *32768 *4 .* native [0-9.]* ms, .* [um]s"
says "trials took [0-9.]* % of the time"
run planned 4 settle 60
says "^bcast: 0 wrong, all ranks alike, .* last native"
says "^alltoall: 0 wrong, all ranks alike, .* last native"

# Without the guard the model's choice serves from the first call on.
export TOURNEY_GUARD=0
run planned 4 settle 20
says "^alltoall: 0 wrong, all ranks alike, 20 planned"
says_not "decisions"
unset TOURNEY_GUARD

# An operation of the program's own is combined by in the ranks' order, whatever serves the MPI's own.
slow_us=50000
run native 4 own 30
says "^own: 0 wrong, all ranks alike, [1-9][0-9]* planned, last recursive-doubling"
says "sum: 0 wrong, all ranks alike, [1-9][0-9]* planned"
says "^  allreduce (own op)  *32768 *4 .*recursive-doubling .*native [0-9.]* ms"
says "^  allreduce  *32768 *4 "
slow_us=10000

# Plans that are slow, proved or not, several sizes and roots, many communicators, threads.
run native 5 mix 40
TOURNEY_PROVE=1 run native 4 mix 20
run none 4 many 40
run native 4 threads 40
run planned 4 threads 40

# What the world has settled serves a duplicate's first call.
run native 4 known 40
says "^duplicate: 0 wrong, all ranks alike, 1 planned"

# What was learnt serves the next run, without trials. Another cluster's file, a broken one and one that can't be written
# are named in a warning. A plan whose first call takes much longer than the file says is doubted, and tried again: so it
# is where a processor is with others just then, and one run in three has to be without.
export TOURNEY_LEARN="$folder/learnt"
run both 4 settle 30
says_not "warning"
grep -q "^alltoall 32768 [^n]" "$folder/learnt" || fail "nothing was learnt: $(cat "$folder/learnt")"
for attempt in 1 2 3; do
  run both 4 settle 12
  says "^alltoall: 0 wrong, all ranks alike, [1-9][0-9]* planned"
  says_not "warning"
  grep -q " a trial\$" "$output" || break
done
says "^alltoall: 0 wrong, all ranks alike, 12 planned"
says_not " a trial\$"
slow_us=50000
run native 4 own 30
slow_us=10000
grep -q "^own allreduce 32768 recursive-doubling" "$folder/learnt" || fail "not learnt: $(cat "$folder/learnt")"
TOURNEY_CLUSTER=switches:3+2,link=20Mbit/s run native 4 settle 5
says "warning: $folder/learnt: learnt by 4 ranks on .* give each its own file; nothing is learnt"
echo broken >"$folder/learnt"
run native 4 settle 5
says "warning: $folder/learnt: .*nothing is learnt"
[ "$(cat "$folder/learnt")" = broken ] || fail "the file was changed"
TOURNEY_LEARN="$folder/none/learnt" run native 4 settle 30
says "warning: $folder/none/learnt: can't be written: .*what was learnt is lost"
