#!/bin/bash
# Ranks and networks that fail, in labs, natively and planned: data are right, or the job ends as native does (MPICH's, once
# a rank is dead, may go on with wrong data for a while, and so do plans over it; a call that brings wrong data while all
# ranks live is a failure). A rank is killed in the middle of a call, another comes late; a host is cut off for a while, and
# for good; a link loses packets, or drops to a tenth of its rate.
# usage: test_faults.sh PROGRAM TOOL PATIENT [ROUNDS [COLLECTIVE|FAULT...]]
#   PROGRAM  faults.c, built: for MPICH where TOURNEY_TEST_MPI is mpich
#   PATIENT  patient.c, built: without it, ranks that wait would take all processors
#   ROUNDS   of each fault with each collective, natively and planned (default 1), or FIRST..LAST: those of more rounds
#   COLLECTIVE|FAULT...  only these, of `all_collectives` and `all_faults` below
set -u
program=$1 tool=$2 patient=$3 rounds=${4:-1}
shift $(($# < 4 ? $# : 4))
all_collectives="bcast allgather allgatherv gatherv scatterv alltoall alltoallv alltoallw reduce allreduce reducescatter"
all_faults="killed late cut_off_for_a_while cut_off_for_good loses_packets drops_to_a_tenth"
collectives='' faults=''
for word; do
  case " $all_collectives " in
    *" $word "*) collectives="$collectives $word" ;;
    *)
      [ "${all_faults/"$word"/}" != "$all_faults" ] || { echo "no such collective or fault: $word"; exit 2; }
      faults="$faults $word"
      ;;
  esac
done
: "${collectives:=$all_collectives}" "${faults:=$all_faults}"
first=1 last=$rounds
case $rounds in
  *..*) first=${rounds%..*} last=${rounds#*..} ;;
esac
rounds=$((last - first + 1))
. "$(dirname "$0")/../support/mpi_support"
# What is said where a rank was killed. Open MPI's mpirun names one of those that ended by a signal: the killed one, or,
# seldom, one that was writing to it (13). MPICH's names such a one by its exit code, or one that crashed in UCX when its
# connection broke (11: natively in 1 of 800 rounds); or a rank whose connection broke was faster, and has ended the job.
case ${TOURNEY_TEST_MPI:-openmpi} in
  mpich) says_killed='EXIT CODE: \(9\|11\|13\)$\|^Abort(.*Fatal error in ' ;;
  *) says_killed='exited on signal \(9\|13\) ' ;;
esac
if ! unshare --net true 2>/dev/null && ! unshare --user --map-root-user --net true 2>/dev/null; then
  echo "skipped: no permission to make network namespaces here"
  exit 77
fi
unset TOURNEY_CLUSTER TOURNEY_MAP TOURNEY_GUARD TOURNEY_LEARN TOURNEY_PROFILE
# A fault is mostly waiting: for TCP's timeouts, or for mpirun to give a job up. So the labs of all parts are up at once.
algorithms=bcast=switch-ordered-chain,allgather=switch-ordered-ring,alltoall=shuffle,gather=linear,scatter=linear
algorithms=$algorithms,reduce=switch-ordered-chain,allreduce=switch-ordered-ring,reducescatter=switch-ordered-ring
bytes=16384
# So many seconds may pass until a round of calls is over, or until a job with a killed rank has ended.
patience=120
never=9000000000000000
top=$(mktemp -d)

# --- Jobs. One runs at a time in a lab. What it prints is read from the descriptor 3, and kept in $output.

# begin CALLS ROUNDS WORD...: the program's words behind the bytes
begin() {
  is_silent=0
  calls=$1 planned=0 over=0 cut_from=$never cut_until=$never over_while_cut=0
  local launch=("$tool" lab run --timeout $((patience + 60 * rounds)) -- "$program" "$collective" "$bytes" "$@")
  if [ "$how" = planned ]; then
    planned=$calls
    launch=(env LD_PRELOAD="$patient" "$tool" run --algorithm "$algorithms" -- "${launch[@]}")
  else
    launch=(env TOURNEY_PRELOAD="$patient" "${launch[@]}")
  fi
  rm -f "$folder/stop" "$folder/lines"
  mkfifo "$folder/lines"
  : >"$output"
  "${launch[@]}" >"$folder/lines" 2>&1 &
  job=$!
  exec 3<"$folder/lines"
}

# MPICH over UCX takes a receive for complete whose connection has broken, whatever has come of it: once a rank is dead,
# data may be wrong, natively as by plans, until the job ends. When each call was over that brought such, $notes says.
is_silent_loss() {
  [ "$fault" = killed ] && [ "${TOURNEY_TEST_MPI:-openmpi}" = mpich ] && [[ $line = *"wrong data"* ]]
}

# How many calls brought wrong data before a rank was to die; and after it.
wrong_calls() {
  awk '$1 == "dies" { death = $2 } $1 == "wrong" { at[++count] = $2 }
    END { for (i = 1; i <= count; i++) if (death == "" || at[i] < death) before++; print before + 0, count - before }' "$1"
}

# next SECONDS: a line of the job's; fails where none comes, or one tells of a call that wasn't as it should be.
next() {
  local line time
  read -r -t "$1" line <&3 || return 1
  echo "$line" >>"$output"
  case $line in
    "round "*" us: $calls calls, right data, $planned planned") ;;
    "round "*) is_silent_loss || { fail "$line"; return 1; }; is_silent=1 ;;
    *) return 0 ;;
  esac
  over=$((over + 1)) time=${line#* at } time=${time%% us*}
  [ "$time" -lt "$cut_from" ] || [ "$time" -gt "$cut_until" ] || over_while_cut=$((over_while_cut + 1))
}

# advance N: waits until N more rounds of calls are over.
advance() {
  local target=$((over + $1))
  while [ "$over" -lt "$target" ]; do
    next "$patience" || { fail "the job hung, ended or went wrong"; return 1; }
  done
}

# go_on MILLISECONDS: reads what the job prints for so long.
go_on() {
  local end=$((${EPOCHREALTIME/./} + $1 * 1000)) left
  while left=$((end - ${EPOCHREALTIME/./})) && [ "$left" -gt 0 ]; do
    next "$((left / 1000000)).$(printf %06d $((left % 1000000)))"
  done
}

# end: waits until the job has ended; its exit code into $code, as of a timeout where it had to be killed.
end() {
  while next "$patience"; do :; done
  code=124
  if kill -0 "$job" 2>/dev/null && ! timeout 20 tail --pid="$job" -f /dev/null; then
    stop_job
    return
  fi
  wait "$job"
  code=$?
  job=
  exec 3<&-
}

stop_job() {
  [ -n "$job" ] || return
  kill "$job" 2>/dev/null
  timeout 20 tail --pid="$job" -f /dev/null || kill -KILL "$job"
  wait "$job" 2>/dev/null
  job=
  exec 3<&-
}

finish() {
  : >"$folder/stop"
  end
  [ "$code" -eq 0 ] || fail "exit code $code at the end"
}

# --- The network. What comes from host h1 is forwarded by port p1 of the switch s0.

# on NODE COMMAND: a shell command on a host or switch of the lab.
on() {
  "$tool" lab exec "$1" -- sh -c "$2" || fail "$1: $2"
}

cut_off() {
  on s0 "echo 0 >/proc/sys/net/ipv4/conf/p1/forwarding"
  cut_from=${EPOCHREALTIME/./} cut_until=$never over_while_cut=0
}

put_back() {
  cut_until=${EPOCHREALTIME/./}
  on s0 "echo 1 >/proc/sys/net/ipv4/conf/p1/forwarding"
}

# A round whose last messages were on their way may end after the cut, no other.
is_cut_off() {
  [ "$over_while_cut" -le 1 ] || fail "$over_while_cut rounds ended while a host was cut off"
}

# port RATE BUFFER: of the switch to h1.
port() {
  on s0 "tc qdisc change dev p1 root handle 1: tbf rate $1 burst 3200 limit $2"
}

# --- Faults: each `rounds` times. A fault that ends the job has a job each time, the others have one for all.

fail() {
  failures=$((failures + 1))
  echo "FAILED: $how $collective, $fault, round $round: $*"
  tail -n 20 "$output"
}

# The job ends, with an error, and takes its processes along.
killed() {
  local began=$SECONDS notes=$folder/notes before after
  : >"$notes"
  begin 6 100000 die $((round % 4)) $((round / 4 % 6)) $((round * 7919 % 20000)) "$notes"
  end
  read -r before after < <(wrong_calls "$notes")
  grep -q '^dies ' "$notes" || fail "no rank was to die"
  [ "$before" -eq 0 ] || fail "$before calls brought wrong data before a rank died"
  [ "$after" -eq 0 ] || [ "${TOURNEY_TEST_MPI:-openmpi}" = mpich ] || fail "$after calls brought wrong data"
  case $code in
    0) fail "a killed rank, and exit code 0" ;;
    124) fail "hung when a rank was killed" ;;
  esac
  [ $((SECONDS - began)) -le "$patience" ] || fail "took $((SECONDS - began)) s to end when a rank was killed"
  [ "$after" -eq 0 ] || silent_losses=$((silent_losses + 1))
  [ $((is_silent + after)) -gt 0 ] || grep -q "$says_killed" "$output" || fail "nothing says that a rank was killed"
}

late() {
  [ -n "$job" ] || begin 6 "$rounds" late 500
  advance 1
}

# Nothing gets through while the host is cut off; all does behind that.
cut_off_for_a_while() {
  [ -n "$job" ] || begin 4 "until=$folder/stop"
  advance 2 || return
  cut_off
  go_on $((100 + round * 271 % 900))
  put_back
  advance 2
  is_cut_off
}

# TCP tries for a quarter of an hour, natively and planned alike; so the job is ended, and leaves nothing.
cut_off_for_good() {
  begin 4 "until=$folder/stop"
  advance 1 && {
    go_on $((round * 37 % 100 + 1))
    cut_off
    go_on 2000
    is_cut_off
    [ -n "$(ranks_left)" ] || fail "the job has ended by itself"
  }
  stop_job
  put_back
  [ -z "$(ranks_left)" ] || fail "left a rank: $(ranks_left)"
}

ranks_left() {
  "$tool" lab exec h0 -- pgrep -f "$program $collective"
}

# Of packets that come faster than the port takes them, it keeps two.
loses_packets() {
  [ -n "$job" ] || {
    port 8Mbit 3kb
    begin 6 "$rounds"
  }
  advance 1
}

drops_to_a_tenth() {
  [ -n "$job" ] || begin 2 "until=$folder/stop"
  advance 2 || return
  go_on $((round * 37 % 100 + 1))
  port 2Mbit 64kb
  advance 2
  port 20Mbit 64kb
}

# run_fault: its rounds; $good of them are right. Where one fails, those left of the same job aren't tried.
run_fault() {
  local before
  good=0
  for ((round = first; round <= last; round++)); do
    before=$failures
    "$fault"
    [ "$failures" -gt "$before" ] || good=$((good + 1))
    [ "$failures" -eq "$before" ] || [ -z "$job" ] || break
  done
  [ -z "$job" ] || if [ "$good" -eq "$rounds" ]; then finish; else stop_job; fi
}

# What the port to h1 has dropped since the last time it was set.
lost_packets() {
  on s0 "tc -s qdisc show dev p1" | sed -n 's/.*dropped \([0-9]*\).*/\1/p'
}

# work HOW COLLECTIVE: all faults, in a lab of its own.
work() {
  how=$1 collective=$2 failures=0 job='' fault=lab round=0 silent_losses=0
  local began lost=0
  export TOURNEY_LAB=f$$-$how-$collective
  folder=$top/$how-$collective
  output=$folder/output
  mkdir "$folder"
  trap 'stop_job; "$tool" lab down >/dev/null 2>&1' EXIT
  trap 'exit 1' TERM INT
  "$tool" lab up switches:2+2,link=20Mbit/s >"$output" 2>&1 || { fail "no lab"; exit 1; }
  for fault in $faults; do
    began=$SECONDS lost=$(lost_packets)
    run_fault
    echo "$how $collective: $fault: $good of $rounds rounds right, $((SECONDS - began)) s"
    [ "$fault" != killed ] || [ "$silent_losses" -eq 0 ] ||
      echo "$how $collective: in $silent_losses of them MPICH said nothing of what didn't come"
    if [ "$fault" = loses_packets ]; then
      lost=$(($(lost_packets) - lost))
      [ "$lost" -gt 0 ] || fail "no packet was lost"
      echo "$how $collective: $lost packets lost"
      port 20Mbit 64kb
    fi
  done
  [ "$failures" -gt 0 ] || : >"$folder/right"
}

clear_up() {
  local lab
  kill $(jobs -p) 2>/dev/null
  wait
  for lab in $collectives; do
    "$tool" lab down --name "f$$-native-$lab" >/dev/null 2>&1
    "$tool" lab down --name "f$$-planned-$lab" >/dev/null 2>&1
  done
  rm -rf "$top"
}
trap clear_up EXIT
trap 'exit 1' TERM INT

parts=0
for collective in $collectives; do
  for how in native planned; do
    work "$how" "$collective" &
    parts=$((parts + 1))
  done
done
wait
right=$(find "$top" -name right | wc -l)
echo "faults: $rounds rounds of $(wc -w <<<"$faults") faults with $(wc -w <<<"$collectives") collectives, native and" \
  "planned: $right of $parts without a failure"
[ "$right" -eq "$parts" ]
