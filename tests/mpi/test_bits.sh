#!/bin/bash
# A million sums of 8 ranks whose bits depend on the order of adding: by calls of 100 to a million elements, ranks on 8, 4 or 2
# hosts, around each other or in a row, on five networks, again and again. With --reproducible all have one bit pattern.
# Natively, and by the plans that are chosen without it, the patterns are counted.
# usage: test_bits.sh PROGRAM TOOL [TIMES]     (TIMES each, 1: 50 combinations; 10: 500)
# With TOURNEY_SAMPLE=n in the environment, on every n-th network and placement.
set -u
program=$1 tool=$2 times=${3:-1}
. "$(dirname "$0")/../support/mpi_support"
. "$(dirname "$0")/../support/sample"
unset "${!TOURNEY_@}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clusters="single:8 switches:4+4,link=20Mbit/s switches:2+2,link=1Gbit/s switches:1+1,link=10Gbit/s mesh:2x4"
sizes="100 1000 10000 100000 1000000"

# count HOW: how many patterns the lines of $work/HOW have; fails where some are missing
count() {
  local lines
  lines=$(grep -c "^bits " "$work/$1")
  [ "$lines" -eq "$combinations" ] || { echo "$1: $lines of $combinations results:"; cat "$work/errors"; exit 1; }
  sed -n 's/^bits [0-9]* //p' "$work/$1" | sort -u | wc -l
}

run() {
  timeout 500 "$@" -- mpirun -n 8 "$program" "$times" $sizes 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }
}

combinations=0
for cluster in $clusters; do
  for map in block interleaved; do
    is_sampled || continue
    export TOURNEY_MAP=$map
    combinations=$((combinations + 5 * times))
    run "$tool" run --cluster "$cluster" --reproducible --explain >>"$work/reproducible" || exit 1
    grep -q "^ *allreduce .*\(recursive-doubling\|binomial\)" "$work/errors" || { echo "nothing is planned:"; cat "$work/errors"; exit 1; }
    run "$tool" run --cluster "$cluster" --no-guard >>"$work/planned" || exit 1
    run env >>"$work/native" || exit 1
  done
done
reproducible=$(count reproducible) && native=$(count native) && planned=$(count planned) || exit 1
echo "bits: $combinations combinations: $reproducible pattern with --reproducible, $native natively, $planned by the fastest plans"
[ "$reproducible" -eq 1 ] && [ "$planned" -gt 1 ]
