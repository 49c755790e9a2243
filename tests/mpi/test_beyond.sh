#!/bin/sh
# Totals and displacements beyond 2^31, natively and by plans: the data is what the definition says. Takes some 6 GiB.
# usage: test_beyond.sh PROGRAM LIBRARY PLANNED_LONG PLANNED_UNEVEN PLANNED_FAR [LARGE_PROGRAM]
#   PLANNED_*  calls that plans have to serve
#   LARGE_PROGRAM  the same, by functions of large counts
set -eu
program=$1 library=$2 long=$3 uneven=$4 far=$5 large=${6-}
. "$(dirname "$0")/../support/mpi_support"
gib=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
if [ "$gib" -lt 8 ]; then
  echo "skipped: $gib GiB of memory are free, and it takes up to 7"
  exit 77
fi
export TOURNEY_ALGORITHM=bcast=binomial,allgather=ring,alltoall=shuffle,gather=linear,scatter=linear

# run PROGRAM MODE PLANNED: with the runtime where calls are to be planned, else without
run() {
  echo "$*"
  with=
  [ "$3" -eq 0 ] || with="-x LD_PRELOAD=$library -x TOURNEY_CLUSTER=single:3 -x TOURNEY_MAP=block"
  said=$(timeout -k 5 100 mpirun -np 3 $with "$1" "$2") || { echo "failed or hung: $said"; exit 1; }
  echo "$said"
  echo "$said" | grep -qx "0 wrong, $3 planned" || { echo "expected 0 wrong, $3 planned"; exit 1; }
}

run "$program" far 0
run "$program" far "$far"
run "$program" long "$long"
run "$program" uneven "$uneven"
[ -z "$large" ] || run "$large" far "$far"
[ -z "$large" ] || run "$large" uneven "$uneven"
