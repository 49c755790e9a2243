#!/bin/bash
# Every algorithm that the tool lists gives what the native collective gives under Open MPI: here, on
# the communicators of 2 to 17 ranks, or in a lab, with one rank a host. An algorithm that needs a
# grid or another shape is run on the first of the clusters below that all ranks can use it on.
# usage: test_every_algorithm.sh TOOL PROGRAM LIBRARY here|lab     (PROGRAM: tests/mpi/every.c)
set -u
tool=$(realpath "$1") program=$(realpath "$2") library=$3 where=$4
clusters="switches:9+8 torus:4x4 ring:8 switches:2+2" # on the last, two ranks a host
. "$(dirname "$0")/../support/mpi_support"
if [ "$where" = lab ] && ! unshare --net true 2>/dev/null &&
  ! unshare --user --map-root-user --net true 2>/dev/null; then
  echo "skipped: no permission to make network namespaces here"
  exit 77
fi
export TOURNEY_LAB=every$$
unset TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_PRELOAD
work=$(mktemp -d)
trap '[ "$where" = here ] || "$tool" lab down >/dev/null 2>&1; rm -rf "$work"' EXIT

# start CLUSTER RANKS WORD...: COLLECTIVE=ALGORITHM each, all by one job; its output is in $work/out.
start() {
  local cluster=$1 ranks=$2 least=$2
  shift 2
  if [ "$where" = here ]; then
    [ "$cluster" != switches:9+8 ] || least=2
    timeout 400 mpirun -np "$ranks" -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER="$cluster" \
      -x TOURNEY_MAP=interleaved "$program" "$@" "$least" >"$work/out" 2>&1
  else
    "$tool" run -- "$tool" lab run --timeout 400 -n "$ranks" --map interleaved -- \
      "$program" "$@" "$least" >"$work/out" 2>&1
  fi
}

"$tool" algorithms --format csv >"$work/list" || exit 1
# Gathers and scatters serve MPI_Gatherv and MPI_Scatterv alone, and what needs a pattern MPI_Alltoallv and
# MPI_Alltoallw, which the conformance suite calls.
tail -n +2 "$work/list" | grep -vE '^(gather|scatter),|,"[^"]* a pattern",' | cut -d, -f1,2 | tr , = >"$work/left"
total=$(wc -l <"$work/left")
[ "$total" -gt 0 ] || { echo "the tool lists no algorithms"; exit 1; }

for cluster in $clusters; do
  ranks=$(("$(echo "${cluster#*:}" | tr '+x' '+*')"))
  [ "$cluster" != switches:2+2 ] || ranks=$((2 * ranks))
  if [ "$where" = lab ]; then
    "$tool" lab up "$cluster,link=200Mbit/s" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
  fi
  mapfile -t words <"$work/left"
  if [ "${#words[@]}" -gt 0 ] && ! start "$cluster" "$ranks" "${words[@]}" </dev/null; then
    echo "FAULT: on $cluster, in what comes last or is wrong"
    cat "$work/out"
    exit 1
  fi
  sed -n "s/: \(0 wrong, .* $ranks\)\$/ on $cluster: \1/p" "$work/out"
  for word in "${words[@]}"; do
    grep -q "^$word: 0 wrong, .* $ranks\$" "$work/out" || echo "$word"
  done >"$work/left"
  [ "$where" = here ] || "$tool" lab down >/dev/null || exit 1
done
if [ -s "$work/left" ]; then
  echo "FAULT: none of $clusters was served by these:"
  cat "$work/left"
  exit 1
fi
echo "all $total algorithms gave what native ones give"
