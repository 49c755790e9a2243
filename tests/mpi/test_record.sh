#!/bin/sh
# The record of a run: what rank 0 counts with --explain is in it, with times, decisions and the hosts' counters; it appears
# whole, or is missed with one warning; and `tourney report run` makes a page of it.
# usage: test_record.sh PROGRAM LIBRARY SLOW TOOL     (PROGRAM: guarded.c, SLOW: slow_mpi.c)
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
program=$1 library=$2 slow=$3 tool=$4
. "$(dirname "$0")/../support/mpi_support"
unset TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_GUARD TOURNEY_LEARN TOURNEY_PROVE TOURNEY_RECORD TOURNEY_ORIGIN
export TOURNEY_MAP=block TOURNEY_EXPLAIN=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  echo "$*; the output:"
  cat output
  [ ! -f record ] || cat record
  exit 1
}

# With natively slow collectives, so that plans come to serve. Within the group of the job's directory.
run() {
  echo "$*"
  SLOW=native SLOW_US=10000 timeout 100 mpirun -np 4 -x ASAN_OPTIONS -x LD_PRELOAD="$library:$slow" \
    "$program" "$@" >output 2>&1 || fail "failed or hung"
}

has() {
  grep -q "$1" record || fail "the record hasn't '$1'"
}

# recorded WHAT: the sum of a number over the rows of the all-to-alls.
recorded() {
  sed -n '/"calls": \[/,/"decisions"/ s/.*"collective": "alltoall",.*"'"$1"'": \([0-9]*\).*/\1/p' record |
    awk '{ sum += $1 } END { print sum + 0 }'
}

# It stays where the program began, whatever folder is current in the end.
export TOURNEY_CLUSTER=switches:2+2,link=20Mbit/s TOURNEY_RECORD=record
run settle 60
counted=$(awk '/^tourney: decisions/ { exit } $1 == "alltoall" { sum += $2 } END { print sum + 0 }' output)
[ "$counted" -ge 60 ] || fail "the table counts $counted all-to-alls"
[ "$(recorded calls)" -eq "$counted" ] || fail "the record has $(recorded calls) all-to-alls, the table $counted"
[ "$(recorded timed)" -eq "$counted" ] || fail "the record has times of $(recorded timed) all-to-alls"
has '"ranks": 4, "why_native": null, "guard": true'
has '"name": "switches:2+2,link=20Mbit/s"'
has '"host_of_rank": \[0,1,2,3\]'
has '"has_all_hosts": true'
[ "$(grep -c '"name": .*"retransmitted": [0-9]*, "timeouts"' record)" -eq 1 ] || fail "the machine isn't one host"
has '"at_ns": [0-9]*, "collective": "alltoall", "served": "[^n].*"native_ns": [0-9]*, "tried": \[{"name".*"seen_ns": [0-9]'
# Native calls took 10 ms and more, each.
awk '/"collective": "alltoall", "algorithm": null/ { sub(/.*"least_ns": /, ""); if ($1 + 0 < 10e6) exit 1 }' record ||
  fail "native times are too short"
"$tool" report run record -o page.html || fail "there is no page"
grep -q 'of which plans served [1-9]' page.html || fail "the page has no planned calls"

# Where all is native, and where nobody asks for a record.
unset TOURNEY_CLUSTER
run settle 5
has '"why_native": "not to be planned for'
has '"cluster": null'
[ "$(recorded timed)" -ge 5 ] || fail "native calls aren't timed"
"$tool" report run record -o page.html || fail "there is no page"
rm record
unset TOURNEY_RECORD
run settle 5
[ ! -e record ] || fail "a record that nobody asked for"

# What can't be written is said once, and the program goes on; nothing half-written stays.
TOURNEY_RECORD=none/record run settle 5
[ "$(grep -c "warning: .*none/record: can't be written" output)" -eq 1 ] || fail "no warning, or several"
export TOURNEY_RECORD="$folder/record"
run settle 5
[ "$(ls | tr '\n' ' ')" = "output page.html record " ] || fail "files are left: $(ls)"
