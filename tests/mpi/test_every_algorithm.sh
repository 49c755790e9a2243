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

# start CLUSTER RANKS COLLECTIVE ALGORITHM: its output is in $work/out.
start() {
  local least=$2
  if [ "$where" = here ]; then
    [ "$1" != switches:9+8 ] || least=2
    timeout 120 mpirun -np "$2" -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER="$1" \
      -x TOURNEY_MAP=interleaved -x TOURNEY_ALGORITHM="$3=$4" "$program" "$3" "$least" >"$work/out" 2>&1
  else
    "$tool" run --algorithm "$3=$4" -- "$tool" lab run --timeout 120 -n "$2" --map interleaved -- \
      "$program" "$3" "$least" >"$work/out" 2>&1
  fi
}

"$tool" algorithms --format csv >"$work/list" || exit 1
# Gathers and scatters serve MPI_Gatherv and MPI_Scatterv alone, which the conformance suite calls.
tail -n +2 "$work/list" | cut -d, -f1,2 | grep -vE '^(gather|scatter),' >"$work/left"
total=$(wc -l <"$work/left")
[ "$total" -gt 0 ] || { echo "the tool lists no algorithms"; exit 1; }

for cluster in $clusters; do
  ranks=$(("$(echo "${cluster#*:}" | tr '+x' '+*')"))
  [ "$cluster" != switches:2+2 ] || ranks=$((2 * ranks))
  if [ "$where" = lab ]; then
    "$tool" lab up "$cluster,link=20Mbit/s" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
  fi
  : >"$work/refused"
  while IFS=, read -r collective name; do
    if ! start "$cluster" "$ranks" "$collective" "$name" </dev/null; then
      echo "FAULT: $collective $name on $cluster"
      cat "$work/out"
      exit 1
    fi
    if grep -q " $ranks\$" "$work/out"; then
      echo "$name on $cluster: $(grep served "$work/out")"
    else
      echo "$collective,$name" >>"$work/refused"
    fi
  done <"$work/left"
  mv "$work/refused" "$work/left"
  [ "$where" = here ] || "$tool" lab down >/dev/null || exit 1
done
if [ -s "$work/left" ]; then
  echo "FAULT: none of $clusters was served by these:"
  cat "$work/left"
  exit 1
fi
echo "all $total algorithms gave what native ones give"
