#!/bin/bash
# tourney doctor in labs of its own: a fault is made, found, and cured by the very command that is given for
# it; where there is none, nothing is found.
# Usage: test_doctor.sh TOURNEY
set -eu
tool=$(realpath "$1")
. "$(dirname "$0")/../support/mpi_support"
. "$(dirname "$0")/tool_support"
folder=$(mktemp -d)
cleanup() {
  "$tool" lab down >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap cleanup EXIT
cd "$folder"
PATH=$(dirname "$tool"):$PATH
unset LD_PRELOAD TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_EXPLAIN TOURNEY_MAP
# the lab's own settings, not those for ranks on this machine
unset OMPI_MCA_mpi_yield_when_idle OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy
export TOURNEY_LAB=test_doctor_$$

up() {
  "$tool" lab down >/dev/null 2>&1 || true
  if ! "$tool" lab up "$@" >out 2>err; then
    echo "skipped: no lab here:"
    cat err
    exit 77
  fi
}

# never FILE TEXT: the file doesn't have it
never() {
  ! grep -q -F -e "$2" "$1" || { echo "not expected in $1: $2"; cat "$1"; faults=1; }
}

# cure ID: executes the command that the last output gives for this finding
cure() {
  local command
  command=$(sed -n "/\[$1\]/,/^  change/s/^  change  //p" out)
  [ -n "$command" ] || { echo "no command for $1"; faults=1; }
  bash -c "$command" >cured 2>&1 || { echo "failed: $command"; cat cured; faults=1; }
}

healthy() {
  up switches:3+3,link=20Mbit/s
  expect 0 doctor --save-facts saved
  says out "nothing found"
  says out "placement            every host can send"
  says out "trunk-rate           the rate of the trunks"
  says out "packets dropped by ports"
  says err "measuring: about"
  expect 0 doctor --facts saved --cluster switches:3+3,link=20Mbit/s
  says out "nothing found"
  expect 0 doctor --no-traffic --json
  says out '"findings": []'
  [ -z "$(ls -d /tmp/tourney-doctor-?????? 2>/dev/null | xargs -r -n 1 stat -c %u | grep -x "$(id -u)" || true)" ] ||
    { echo "a folder is left in /tmp"; faults=1; }
}

settings() {
  # the lab's paths are short, so that only the file's make it a fault
  local long=(--no-traffic --cluster switches:3+3,link=20Mbit/s,latency=5ms)
  expect 0 doctor --no-traffic
  expect 1 doctor "${long[@]}"
  says out "[idle-restart]"
  says out "tcp_slow_start_after_idle = 1, where the way there and back takes 75000"
  cure idle-restart
  expect 0 doctor "${long[@]}"

  "$tool" lab exec h3 -- ip link set dev eth0 mtu 1300
  expect 1 doctor --no-traffic
  says out "eth0 has 1300 bytes"
  cure mtu
  expect 0 doctor --no-traffic

  "$tool" lab exec h1 -- sysctl -qw net.ipv4.tcp_rmem="4096 4096 5000"
  expect 1 doctor --no-traffic --cluster switches:3+3,link=20Mbit/s,latency=2ms
  says out "[socket-buffers]"
  cure socket-buffers
  expect 0 doctor --no-traffic --cluster switches:3+3,link=20Mbit/s,latency=2ms

  export OMPI_MCA_btl_tcp_eager_limit=2048 OMPI_MCA_btl_tcp_use_nagle=1
  expect 1 doctor --no-traffic
  says out "[eager-limit]"
  says out "[nagle]"
  unset OMPI_MCA_btl_tcp_eager_limit OMPI_MCA_btl_tcp_use_nagle # as the commands say
  expect 0 doctor --no-traffic
}

crowded() {
  local ranks
  ranks=$((6 * ($(nproc) + 1)))
  expect 1 doctor --no-traffic --ranks $ranks
  says out "[oversubscription]"
  never out "[yield]"
  expect 1 doctor --no-traffic --cluster switches:3+3,link=20Mbit/s \
    --launcher "tourney lab run -n $ranks --mpi-arg --mca --mpi-arg mpi_yield_when_idle --mpi-arg 0 --"
  says out "[yield]"
}

wrong_file() {
  expect 1 doctor --cluster switches:3+3,link=100Mbit/s
  says out "[port-rate]"
  says out "the file says 100"
  expect 1 doctor --cluster switches:3+3,link=20Mbit/s,trunk=80Mbit/s
  says out "[trunk-rate]"
  never out "[port-rate]"
  never out "[placement]"
  expect 1 doctor --cluster switches:3+3,link=20Mbit/s,latency=5ms
  says out "[latency]"
  never out "[port-rate]"
  expect 1 doctor --cluster switches:3+3,link=20Mbit/s,buffer=256KiB
  says out "[port-buffer]"
  expect 1 doctor --no-traffic --cluster single:5
  says out "[unknown-host]"
  says out ", on h5"
}

# Hosts h1 and h4 change places, and the file doesn't know.
swapped() {
  "$tool" topology dot switches:3+3,link=20Mbit/s |
    sed 's/"s0" -- "h1"/"s0" -- "hX"/; s/"s1" -- "h4"/"s1" -- "h1"/; s/"hX"/"h4"/' >swapped.dot
  expect 1 doctor --cluster swapped.dot
  says out "[placement]"
  never out "[port-rate]"
  never out "[trunk-rate]"
}

congestion() {
  up switches:3+3,link=20Mbit/s --congestion bbr
  expect 1 doctor --no-traffic
  says out "the MPI's connections use bbr, on h[0-5]"
  cure congestion-control
  expect 0 doctor --no-traffic
}

# Ctrl-C ends all ranks, and leaves nothing.
interrupted() {
  local got=0
  set -m
  "$tool" doctor --save-facts kept >out 2>err &
  local pid=$!
  set +m
  for _ in $(seq 100); do
    ! grep -q measuring err || break
    sleep 0.1
  done
  kill -INT "$pid"
  wait "$pid" || got=$?
  [ "$got" -eq 130 ] || { echo "interrupted: exit code $got, not 130"; faults=1; }
  says err "interrupted"
  [ ! -e kept ] || { echo "facts were saved"; faults=1; }
  ! "$tool" lab exec h0 -- sh -c 'cat /proc/[0-9]*/comm' | grep -q tourney-doctor ||
    { echo "ranks are left"; faults=1; }
}

failing_ranks() {
  expect 3 doctor --cluster single:2 --launcher "sh -c 'echo nonsense >&2; exit 5'"
  says err nonsense
  says err "the ranks failed (exit code 5)"
  expect 3 doctor --cluster single:2 --launcher true
  says err "the ranks failed"
  expect 3 doctor --cluster single:2 --launcher no_such_launcher
  expect 2 doctor --cluster single:none --launcher true
  expect 2 doctor --cluster single:2 --launcher "true 'x"
}

# By mpirun on this machine, whose name no cluster has.
by_launcher() {
  expect 1 doctor --cluster single:2 --launcher "mpirun --oversubscribe -n 2"
  says out "[unknown-host]"
  says out "port-rate            no traffic was made"
  never out "[losses]"
}

failing_ranks
by_launcher
healthy
settings
crowded
wrong_file
swapped
interrupted
congestion
"$tool" doctor --local --no-traffic >out 2>err || [ $? -eq 1 ] || { echo "--local failed"; cat err; faults=1; }
says out "not checked"
exit $faults
