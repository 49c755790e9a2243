#!/bin/sh
# Ranks and networks that fail, in a lab, natively and planned: data are right, or the job ends as native does. A rank
# is killed in the middle of a call, another comes late; a host is cut off for a while, and for good; a link loses
# packets, or drops to a tenth of its rate.
# usage: test_faults.sh PROGRAM TOOL [ROUNDS]     (PROGRAM: faults.c, built; ROUNDS: of each fault, default 1)
set -eu
program=$1 tool=$2 rounds=${3:-1}
. "$(dirname "$0")/../support/mpi_support"
if ! unshare --net true 2>/dev/null && ! unshare --user --map-root-user --net true 2>/dev/null; then
  echo "skipped: no permission to make network namespaces here"
  exit 77
fi
unset TOURNEY_CLUSTER TOURNEY_MAP TOURNEY_GUARD TOURNEY_LEARN TOURNEY_PROFILE
TOURNEY_LAB=faults$$
export TOURNEY_LAB
folder=$(mktemp -d)
output=$folder/output
job=
trap '[ -z "$job" ] || kill "$job" 2>/dev/null; "$tool" lab down >/dev/null 2>&1; rm -rf "$folder"' EXIT
algorithms=bcast=switch-ordered-chain,allgather=switch-ordered-ring,alltoall=shuffle
calls=6 bytes=16384

fail() {
  echo "$*; the output:"
  cat "$output"
  exit 1
}

# launch native|planned FAULTS_WORD...: the program in the lab, ended after so many seconds:
limit=60
launch() {
  how=$1
  shift
  if [ "$how" = planned ]; then
    timeout 80 "$tool" run --algorithm "$algorithms" -- "$tool" lab run --timeout "$limit" -- "$program" "$@"
  else
    timeout 80 "$tool" lab run --timeout "$limit" -- "$program" "$@"
  fi >"$output" 2>&1
}

# right HOW COLLECTIVE: the program came through, and every call was served as it should be.
right() {
  planned=$calls
  [ "$1" = planned ] || planned=0
  grep -q "^$2: $calls calls, 0 bytes wrong, $planned planned" "$output" || fail "$1 $2: wrong, or not served so"
}

# killed HOW COLLECTIVE MICROSECONDS: the job ends, with an error that names the signal, and takes its processes along.
killed() {
  began=$(date +%s)
  code=0
  launch "$1" "$2" "$bytes" "$calls" die 2 3 "$3" || code=$?
  took=$(($(date +%s) - began))
  [ "$code" -ne 0 ] || fail "$1 $2: a killed rank, and exit code 0"
  [ "$code" -ne 124 ] || fail "$1 $2: hung when a rank was killed"
  [ "$took" -le 20 ] || fail "$1 $2: took $took s to end when a rank was killed"
  grep -q "signal 9" "$output" || fail "$1 $2: nothing says that a rank was killed"
  ! grep -q "bytes wrong" "$output" || fail "$1 $2: came through without the killed rank"
}

late() {
  launch "$1" "$2" "$bytes" "$calls" late 1 "$3" 500 || fail "$1 $2: failed with a rank 500 ms late"
  right "$1" "$2"
}

# begin HOW COLLECTIVE CALLS: the program in the background, until its first call is over.
begin() {
  calls=$3
  : >"$output"
  launch "$1" "$2" "$bytes" "$calls" &
  job=$!
  tries=0
  until grep -q begun "$output"; do
    tries=$((tries + 1))
    [ "$tries" -lt 400 ] || fail "$1 $2: didn't begin"
    sleep 0.05
  done
}

# finish HOW COLLECTIVE
finish() {
  wait "$job" || fail "$1 $2: failed or hung"
  job=
  right "$1" "$2"
  calls=6
}

# The fault came in the middle, not behind the end.
in_time() {
  ! grep -q "bytes wrong" "$output" || fail "$1 $2: was over before the fault"
}

# on NODE COMMAND...: a shell command on a host or switch of the lab.
on() {
  node=$1
  shift
  "$tool" lab exec "$node" -- sh -c "$*" || fail "$node: $*"
}

# What comes from host h1 isn't forwarded: its port is p1 of its switch.
cut_off() {
  on s0 "echo $((1 - $1)) >/proc/sys/net/ipv4/conf/p1/forwarding"
}

# port RATE BUFFER: of the switch to h1.
port() {
  on s0 "tc qdisc change dev p1 root handle 1: tbf rate $1 burst 3200 limit $2"
}

cut_off_for_a_while() {
  begin "$1" "$2" 60
  cut_off 1
  sleep 0.5
  in_time "$1" "$2"
  cut_off 0
  finish "$1" "$2"
}

# For good: TCP tries for a quarter of an hour, natively and planned alike, until the lab ends the job.
cut_off_for_good() {
  limit=6
  begin "$1" "$2" 60
  cut_off 1
  code=0
  wait "$job" || code=$?
  job='' limit=60 calls=6
  cut_off 0
  [ "$code" -eq 124 ] || fail "$1 $2: exit code $code where a host is cut off for good"
  ! grep -q "bytes wrong" "$output" || fail "$1 $2: came through though a host is cut off"
}

loses_packets() {
  port 20Mbit 5kb
  launch "$1" "$2" "$bytes" "$calls" || fail "$1 $2: failed where packets are lost"
  right "$1" "$2"
  lost=$(on s0 "tc -s qdisc show dev p1" | sed -n 's/.*dropped \([0-9]*\).*/\1/p')
  port 20Mbit 64kb
}

drops_to_a_tenth() {
  begin "$1" "$2" 20
  port 2Mbit 64kb
  in_time "$1" "$2"
  finish "$1" "$2"
  port 20Mbit 64kb
}

"$tool" lab up switches:2+2,link=20Mbit/s >"$output" 2>&1 || fail "no lab"
round=0
lost=0
while [ "$round" -lt "$rounds" ]; do
  for collective in bcast allgather alltoall; do
    for how in native planned; do
      echo "round $((round + 1)): $how $collective"
      killed "$how" "$collective" $((round * 7919 % 20000))
      late "$how" "$collective" $((round % calls))
      cut_off_for_a_while "$how" "$collective"
      loses_packets "$how" "$collective"
      drops_to_a_tenth "$how" "$collective"
      [ "$round" -gt 0 ] || cut_off_for_good "$how" "$collective"
    done
  done
  round=$((round + 1))
done
[ "$lost" -gt 0 ] || fail "the port that loses packets lost none"
! "$tool" lab exec h0 -- pgrep -f "$program" >/dev/null || fail "a rank is left"
echo "faults: $rounds rounds of each, native and planned, all right"
