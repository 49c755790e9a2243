#!/bin/sh
# Plans made by rank 0 and handed out: on duplicates, by threads, on parts of the world; and taken from a store, where
# they fit and aren't damaged. Results are right in each case.
# usage: test_handout.sh TOOL EVERY COMMUNICATORS LIBRARY   (tests/mpi/every.c, tests/mpi/communicators.c)
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
tool=$1 every=$2 communicators=$3 library=$4
. "$(dirname "$0")/../support/mpi_support"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
output=$folder/output store=$folder/store

fail() {
  echo "$*; the output:"
  cat "$output"
  exit 1
}

# says TIMES WORDS: so many lines have them.
says() {
  [ "$(grep -c -e "$2" "$output" || true)" -eq "$1" ] || fail "expected $1 times '$2'"
}

# run CLUSTER RANKS WORD...: with all-to-alls and broadcasts whose plans are handed out.
run() {
  cluster=$1 ranks=$2
  shift 2
  timeout 100 mpirun -np "$ranks" -x ASAN_OPTIONS -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER="$cluster" \
    -x TOURNEY_MAP=block -x TOURNEY_ALGORITHM=bcast=switch-circulant,alltoall=tree-phases \
    -x TOURNEY_EXPLAIN=1 -x TOURNEY_PROVE="${prove:-0}" -x TOURNEY_STORE="${from:-}" "$@" >"$output" 2>&1 ||
    fail "failed or hung: $*"
  says 1 "0 wrong"
}

for mode in idup rolling overlap threads; do
  echo "handed out: $mode"
  run switches:4+4 4 "$communicators" "$mode" 20
  says 1 "^$mode: 20 rounds, 0 wrong, [1-9][0-9]* planned"
done

echo "handed out: parts of the world"
run switches:2+3 5 "$every" alltoall 5
says 1 "served with ranks: 5\$"
says 0 "stored plan"

"$tool" plan switches:2+3 alltoall --algorithm tree-phases --bytes 1000,9001 --store "$store" >"$output"
says 2 "5 parts, proved"
from=$store
for prove in 0 1; do
  echo "stored: proved again: $prove"
  run switches:2+3 5 "$every" alltoall 5
  says 1 "; stored plan"
  says 0 "warning"
done
prove=0

echo "stored: for another cluster"
run switches:3+2 5 "$every" alltoall 5
says 0 "; stored plan"
says 1 "isn't used: it is for another cluster"

echo "stored: damaged"
for file in "$store"/*.bytes9216.*; do
  printf 'x' | dd of="$file" bs=1 seek=300 conv=notrunc 2>/dev/null
done
run switches:2+3 5 "$every" alltoall 5
says 1 "bytes9216.*can't be used, so it is planned now: damaged"
for file in "$store"/*; do
  : >"$file"
done
run switches:2+3 5 "$every" alltoall 5
says 2 "can't be used, so it is planned now: no stored plan of this version"
says 0 "; stored plan"

echo "stored: no folder"
from=$folder/none
run switches:2+3 5 "$every" alltoall 5
says 1 "TOURNEY_STORE: .* is no folder"
