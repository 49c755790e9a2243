#!/bin/sh
# What calls cost the runtime: once planned, they allocate nothing and make no datatypes, nor do calls of other sizes of
# the same step, nor uneven ones, nor those among neighbours, nor calls of several threads at once; plain bytes aren't
# packed, whatever datatype names them, and data in another order than its type's is. Communicators that don't live long
# agree on next to nothing.
# usage: test_economy.sh PROGRAM LIBRARY WATCH     (PROGRAM: tests/mpi/economy.c, WATCH: tests/mpi/watch.c)
set -eu
program=$1 library=$2 watch=$3
. "$(dirname "$0")/../support/mpi_support"
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# run MODE RANKS CLUSTER ALGORITHMS
run() {
  echo "$*"
  timeout 100 mpirun -np "$2" -x LD_PRELOAD="$library:$watch" -x TOURNEY_CLUSTER="$3" -x TOURNEY_MAP=block \
    -x TOURNEY_ALGORITHM="$4" "$program" "$1" >"$output" 2>&1 || { cat "$output"; exit 1; }
}

# says EXPRESSION: a basic regular expression of a whole line.
says() {
  grep -q "^$1\$" "$output" || { echo "expected '$1'; the output:"; cat "$output"; exit 1; }
}

for algorithms in bcast=van-de-geijn,allgather=combining,alltoall=bruck:2 \
  bcast=hierarchical,allgather=hierarchical,alltoall=hierarchical-bruck \
  bcast=binomial,allgather=ring,alltoall=shuffle; do
  run repeat 5 switches:2+3 "$algorithms"
  says "repeated: 0 allocations, 0 datatypes, 0 packs, 0 wrong"
  run threads 5 switches:2+3 "$algorithms"
  says "by threads: 0 allocations, 0 datatypes, 0 packs, 0 wrong"
done
run grow 5 switches:2+3 bcast=binomial,allgather=ring,alltoall=shuffle
says "grown: 0 allocations, 0 datatypes, 0 packs, 0 wrong"
for alltoall in shuffle open-shop; do
  run uneven 5 switches:2+3 allgather=ring,alltoall=$alltoall,gather=linear,scatter=linear
  says "uneven: 0 allocations, 0 datatypes, 0 packs, 0 wrong"
done
run neighbours 5 switches:2+3 alltoall=planned-phases
says "neighbours: 0 allocations, 0 datatypes, 0 packs, 0 wrong"
# Of 5 ranks, so that a collective counts 5 times. Three calls ask nothing; a fourth is agreed on, and where that is long,
# so is what serving needs: of a ring's edges it is most of it. One that the MPI has refused isn't counted.
run few 5 switches:2+3 ""
for each in "all, 3 calls of 20000 bytes: 0" "all, 4 calls of 20000 bytes: 15" "all, 4 calls of 20000 bytes, one again: 15" \
  "all, 15 calls of 8 bytes: 5" "all, 16 calls of 8 bytes: 10" "all, 64 calls of 8 bytes: 25" \
  "ring, 3 calls of 20000 bytes: 0" "ring, 4 calls of 20000 bytes: 45" "ring, 4 calls of 20000 bytes, one again: 45" \
  "ring, 15 calls of 8 bytes: 5" "ring, 16 calls of 8 bytes: 10" "ring, 64 calls of 8 bytes: 25"; do
  says "$each collectives, 0 wrong"
done
run types 4 single:4 bcast=binomial,allgather=ring,alltoall=shift
for plain in "predefined" "a row" "a copy" "a row of rows" "the same bounds"; do
  says "$plain: .*, 0 packs, 0 wrong"
done
for packed in "other bounds" "shifted bounds" "backwards" "with gaps" "a backwards row" "a pair with a gap"; do
  says "$packed: .*, [1-9][0-9]* packs, 0 wrong"
done
