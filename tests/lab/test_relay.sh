#!/bin/bash
# The relay, by which links have a latency where the kernel has no netem: what it does to messages,
# how it ends, why it may not work.
# usage: test_relay.sh TOOL STREAM PING user|root
set -u
tool=$(realpath "$1") stream=$(realpath "$2") ping=$(realpath "$3") who=$4
. "$(dirname "$0")/functions.bash"

# A relay ends with its keeper, a moment later.
no_relay_is_left() {
  for _ in $(seq 40); do
    [ "$(count_started tourney-relay)" -gt 0 ] || return 0
    sleep 0.05
  done
  fault "$1 leaves a relay"
}

a_latency_is_made_and_nothing_is_lost_by_it() {
  expect 0 lab up zones:2+2,link=20Mbit/s,delay=10ms
  expect 0 lab run -n 2 --map interleaved -- "$ping" 1 60
  within "$(awk '{ print $1 }' "$work/out")" 20000 22000
  within "$(awk '{ print $2 }' "$work/out")" 20000 30000
  expect 0 lab run -n 2 --map interleaved -- "$stream" 3000000
  within "$(tail -n 1 "$work/out")" 12 20
  expect 0 lab status --links
  within "$(awk '/^relayed/ { on = 1 } on && $1 == "s0" { print $4 }' "$work/out")" 3000000 4000000
  [ "$(awk '/^relayed/ { on = 1 } on && $1 ~ /^s/ { print $6 }' "$work/out" | sort -u)" = 0 ] ||
    fault "the relay drops"
  [ "$(count_started tourney-relay)" -eq 1 ] || fault "one relay was expected"
  expect 0 lab status --links --json
  says '"latency_ns": 10000000, "relay_bytes": [0-9]'
  expect 0 lab down
  no_relay_is_left down
}

a_relay_ends_with_its_lab_and_the_lab_with_it() {
  local process delay up
  expect 0 lab up zones:2+2,delay=10ms
  kill_keeper
  no_relay_is_left "a killed keeper"
  expect 0 lab up zones:2+2,delay=10ms
  for process in /proc/[0-9]*; do
    [ "$(cat "$process/comm" 2>/dev/null)" = tourney-relay ] &&
      grep -q -z -x -F "XDG_RUNTIME_DIR=$work/run" "$process/environ" && kill -KILL "${process#/proc/}"
  done
  for _ in $(seq 100); do
    lab status >/dev/null 2>&1 || break
    sleep 0.05
  done
  expect 2 lab status
  for delay in 0.01 0.05 0.1 0.2; do
    start up zones:20+20,delay=10ms
    up=$!
    sleep $delay
    kill -INT "$up" 2>/dev/null
    wait "$up" || continue
    lab down
  done
  no_relay_is_left "an interrupted up"
  lab down >/dev/null 2>&1
  [ -z "$(ls -A "$work/run")" ] || fault "files stay behind: $(ls -AR "$work/run")"
}

a_relay_that_cannot_work_tells_why() {
  expect 2 lab up single:2,link=2Gbit/s,latency=5ms
  says "more than 1 Gbit/s"
  if [ "$who" = root ]; then
    expect 3 setpriv --inh-caps=-net_raw --bounding-set=-net_raw "$tool" lab up single:2,latency=5ms
    says "CAP_NET_RAW"
  fi
  [ -z "$(ls -A "$work/run")" ] || fault "files stay behind: $(ls -AR "$work/run")"
}

lab up zones:1+1,delay=10ms >"$work/out" 2>"$work/err"
case $? in
0) ;;
3) skip "$(cat "$work/err")" ;;
*) fault "the smallest lab with a latency doesn't come up" ;;
esac
relayed=$(lab status --links | grep -c "^relayed from")
lab down
[ "$relayed" -gt 0 ] || skip "this kernel delays packets itself"
for test in a_latency_is_made_and_nothing_is_lost_by_it a_relay_ends_with_its_lab_and_the_lab_with_it \
  a_relay_that_cannot_work_tells_why; do
  echo "$test"
  $test
done
exit $((faults > 0))
