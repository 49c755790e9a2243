#!/bin/sh
# TOURNEY_PROVE: plans are proved before they run, and it is shown; what isn't proved goes native at every
# rank, with one warning a plan, and the results are right.
# usage: test_prove.sh PROGRAM LIBRARY REFUSING     (PROGRAM: tests/mpi/every.c; REFUSING: a runtime whose
# verifier finds fault with every broadcast)
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
program=$1 library=$2 refusing=$3
. "$(dirname "$0")/../support/mpi_support"
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# run LIBRARY PROVE COLLECTIVE: five ranks, all calls planned that can be.
run() {
  timeout 100 mpirun -np 5 -x ASAN_OPTIONS -x LD_PRELOAD="$1" -x TOURNEY_CLUSTER=switches:2+3 -x TOURNEY_MAP=block \
    -x TOURNEY_ALGORITHM=bcast=binomial,allgather=ring,alltoall=shift -x TOURNEY_EXPLAIN=1 -x TOURNEY_PROVE="$2" \
    "$program" "$3" 5 >"$output" 2>&1 || { cat "$output"; exit 1; }
}

# says TIMES WORDS: so many lines have them.
says() {
  count=$(grep -c -e "$2" "$output" || true)
  [ "$count" -eq "$1" ] || { echo "expected $1 times '$2', got $count:"; cat "$output"; exit 1; }
}

for collective in bcast allgather alltoall; do
  echo "proved: $collective"
  run "$library" 1 "$collective"
  says 1 "; proved"
  says 0 "warning"
done
echo "not asked for"
run "$library" 0 bcast
says 0 "proved"
echo "refused: bcast"
run "$refusing" 1 bcast
# Blocks up to 1000 bytes are a chunk, the longest are three: two plans a root.
says 8 "tourney: warning: bcast binomial, 5 ranks, root .*, isn't proved and not run"
says 8 "tourney: warning"
[ "$(grep "tourney: warning" "$output" | sort -u | wc -l)" -eq 8 ] || { echo "a plan twice"; cat "$output"; exit 1; }
says 8 "native: rank 1 step 0 is wrong, says the test"
says 1 "native .* its plan isn't proved (see the warning)"
says 1 "0 wrong, served with ranks:\$"
echo "not refused: allgather"
run "$refusing" 1 allgather
says 1 "; proved"
says 1 "0 wrong, served with ranks: 5"
