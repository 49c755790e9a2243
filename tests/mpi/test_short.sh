#!/bin/sh
# A broadcast of 8 bytes between two ranks on this machine stays native, and takes less than 150 ns more with the
# runtime than without: by C, by C as an MPI_Ibcast that is waited for, and by Fortran's three bindings where there is a
# compiler. Programs with and without take turns, and the least time of each counts; what else the machine does only
# lengthens times, so where they differ more, they take more turns.
# usage: test_short.sh SOURCES LIBRARY      (SOURCES: the folder of short.c and short_calls.F90)
set -eu
sources=$1 library=$2
. "$(dirname "$0")/../support/mpi_support"
MORE_NS_MAX=150
TURNS=5
TURNS_MAX=40
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# least FILE: the smallest number in it.
least() {
  sort -n "$1" | head -n 1
}

# take_turns COUNT PROGRAM
take_turns() {
  for turn in $(seq "$1"); do
    timeout 60 mpirun -np 2 "$2" >>"$folder/without"
    timeout 60 mpirun -np 2 -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER=switches:1+1 -x TOURNEY_MAP=block \
      "$2" >>"$folder/with"
  done
  more=$(($(least "$folder/with") - $(least "$folder/without")))
}

# try NAME PROGRAM
try() {
  rm -f "$folder/without" "$folder/with"
  take_turns $TURNS "$2"
  while [ "$more" -ge $MORE_NS_MAX ] && [ "$(wc -l <"$folder/with")" -lt $TURNS_MAX ]; do
    take_turns 1 "$2"
  done
  echo "$1: $(least "$folder/without") ns without the runtime, $(least "$folder/with") ns with it"
  [ "$more" -lt $MORE_NS_MAX ] || { echo "failed: $more ns more"; exit 1; }
}

mpicc -O2 -DBINDING=0 "$sources/short.c" -o "$folder/c"
try "C" "$folder/c"
mpicc -O2 -DBINDING=4 "$sources/short.c" -o "$folder/nonblocking"
try "C, nonblocking" "$folder/nonblocking"
if ! command -v mpifort >/dev/null || ! mpifort --version >/dev/null 2>&1; then
  echo "skipped, after C: no mpifort with a Fortran compiler (package gfortran)"
  exit 77
fi
mpicc -O2 -DBINDING=1 -c "$sources/short.c" -o "$folder/main.o"
for binding in 1 2 3; do
  name=$(echo "mpif.h,use mpi,use mpi_f08" | cut -d, -f$binding)
  mpifort -O2 -fallow-argument-mismatch -w -DBINDING=$binding -J "$folder" -c "$sources/short_calls.F90" \
    -o "$folder/calls.o"
  mpifort "$folder/main.o" "$folder/calls.o" -o "$folder/fortran"
  try "$name" "$folder/fortran"
done
