#!/bin/sh
# TOURNEY_PROFILE: its best candidate serves, native included, on communicators of all ranks in their order; one of another
# cluster is ignored, with one warning. And tourney_set_algorithm is obeyed.
# usage: test_profiled.sh PROGRAM LIBRARY FINGERPRINT     (PROGRAM: tests/mpi/profiled.c; FINGERPRINT: tests/mpi/fingerprint.c)
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
program=$1 library=$2
. "$(dirname "$0")/../support/mpi_support"
output=$(mktemp)
trap 'rm -f "$output"' EXIT
cluster=switches:2+3
mca=
export TOURNEY_GUARD=1

# run PROFILE [COUNT [mixed]]
run() {
  # shellcheck disable=SC2086 # no word or three
  timeout 100 mpirun $mca -np 5 -x ASAN_OPTIONS -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER=$cluster -x TOURNEY_MAP=block \
    -x TOURNEY_GUARD -x TOURNEY_PROFILE="$1" -x TOURNEY_EXPLAIN=1 "$program" "${2:-0}" ${3:+"$3"} >"$output" 2>&1 || { cat "$output"; exit 1; }
}

# says TIMES PATTERN: so many lines have it.
says() {
  count=$(grep -c -E -e "$2" "$output" || true)
  [ "$count" -eq "$1" ] || { echo "expected $1 times '$2', got $count:"; cat "$output"; exit 1; }
}

# profile CLUSTER_HASH HOSTS_HASH: native for short exchanges and for reduces, shift for long exchanges, binomial for short
# broadcasts, a ring for all-reduces
profile() {
  printf 'profile 2\ncluster %s\nranks 5 hosts %s\n' "$1" "$2"
  for name in send_overhead_ns receive_overhead_ns source_overhead_ns byte_overhead_ps combine_ps latency_ns eager_bytes handshake_ns local_latency_ns \
    local_bps; do
    echo "$name 1000"
  done
  printf 'point alltoall 4096 native 100 90 110 3\npoint alltoall 4096 shift 101 90 110 3\n'
  printf 'point alltoall 65536 native 5000 5000 5000 3\npoint alltoall 65536 shift 4000 4000 4000 3\n'
  printf 'point bcast 64 native 50 50 50 3\npoint bcast 64 binomial 40 40 40 3\n'
  printf 'point allreduce 4096 native 5000 5000 5000 3\npoint allreduce 4096 switch-ordered-ring 4000 4000 4000 3\n'
  printf 'point reduce 4096 native 100 100 100 3\npoint reduce 4096 binomial 30000000 30000000 30000000 3\n'
}

echo "a profile of another cluster"
run "$(profile 0123456789abcdef 0123456789abcdef)"
says 1 "tourney: warning: the profile was measured on another cluster: .*; no profile is used"
says 0 "in the profile"
says 1 "^bcast 64 world native"
says 1 "^0 wrong"
echo "no profile at all"
run "nonsense"
says 1 "tourney: warning: .*profile VERSION.*; no profile is used"
says 1 "^0 wrong"

echo "a profile of this cluster"
run "$(profile $("$3" $cluster 5))"
says 0 "warning"
for where in world copy; do
  says 1 "^alltoall 4096 $where native"
  says 1 "^alltoall 65536 $where shift"
  says 1 "^bcast 64 $where binomial"
  says 1 "^allreduce 4096 $where switch-ordered-ring"
  says 1 "^reduce 4096 $where native"
done
says 1 "^ +allreduce +2 +8192 .*switch-ordered-ring.*the fastest in the profile"
says 1 "^ +reduce +2 +8192 +native.*the fastest in the profile"
says 0 "^alltoall 65536 (reordered|fewer) shift"
says 1 "^alltoall 4096 pairwise pairwise"
says 1 "^set unreadable 1"
says 3 "^set [a-z]+ 0"
says 1 "^alltoall 4096 unreadable pairwise"
says 1 "^alltoall 4096 native native"
says 1 "^alltoall 4096 again native"
says 1 "^ +alltoall +2 +131072 .*shift.*the fastest in the profile"
says 1 "^ +alltoall +3 +12288 +native.*the fastest in the profile"
says 1 "^0 wrong"

echo "another algorithm of the MPI's own serves where the MPI can be told so"
mca='--mca coll_tuned_use_dynamic_rules 1'
# The times are made up. The guard would see how long calls take here, and no longer believe the profile.
TOURNEY_GUARD=0
# own MS: as above, with native calls of so long
own() {
  profile $("$fingerprint" $cluster 5) | sed "s/native [0-9 ]* 3$/native ${1}000000 ${1}000000 ${1}000000 3/
    s/shift 101 90 110/shift ${1}000001 ${1}000001 ${1}000001/
    s/binomial 40 40 40/binomial ${1}000001 ${1}000001 ${1}000001/"
  printf 'point bcast 64 native:1 20000 20000 20000 3\npoint alltoall 4096 native:3 20000 20000 20000 3\n'
  printf 'point bcast 32768 native 9000000 9000000 9000000 3\npoint bcast 32768 native:3+8192 30 30 30 3\n'
}
fingerprint=$3
run "$(own 20)" 0 mixed
says 0 "warning"
says 1 "^ +bcast +5 +98432 +native.*the fastest in the profile: another of the MPI's own"
says 1 "^ +alltoall +3 +12288 +native.*the fastest in the profile: another of the MPI's own"
says 1 "^ +alltoall +2 +131072 .*shift.*the fastest in the profile$"
says 1 "^0 wrong"
run "$(own 1)"
says 1 "^ +bcast +2 +128 +native +until another of the MPI's own, which the profile has, is set up"
says 0 "in the profile: another of the MPI's own"
says 1 "^0 wrong"
mca=
run "$(own 20)"
says 0 "another of the MPI's own"
says 1 "^ +alltoall +2 +131072 .*shift.*the fastest in the profile$"
says 1 "^0 wrong"

TOURNEY_GUARD=1
echo "a plan that isn't clearly faster is tried, and no plan that was measured far slower"
run "$(profile $("$3" $cluster 5) | sed 's/shift 4000 4000 4000/bruck:2 4000 4000 5000/
  $a point alltoall 65536 shuffle 9000 9000 9000 3')" 5000
says 0 "^ +alltoall .* 131072 .*the fastest in the profile"
says 1 "^ +alltoall +3 +12288 +native.*the fastest in the profile"
says 1 "^ +alltoall +65536 .*native [0-9.]+ [mu]s, bruck:2 [0-9.]+ [mu]s$"
says 1 "^0 wrong"
