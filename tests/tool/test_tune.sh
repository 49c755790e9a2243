#!/bin/bash
# tourney tune: what it refuses, what it measures, how it goes on after an interruption, and that its profile is obeyed.
# `launcher`: by mpirun on this machine, the ranks placed by number on a generated cluster; `lab`: in a lab of its own.
# Usage: test_tune.sh TOURNEY launcher|lab
set -eu
tool=$(realpath "$1")
part=$2
. "$(dirname "$0")/../support/mpi_support"
. "$(dirname "$0")/tool_support"
folder=$(mktemp -d)
cleanup() {
  [ "$part" = launcher ] || "$tool" lab down >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap cleanup EXIT
cd "$folder"
unset LD_PRELOAD TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_EXPLAIN TOURNEY_MAP TOURNEY_PROVE TOURNEY_PROFILE
export TOURNEY_LAB=test_tune_$$

# lines COUNT PATTERN FILE
lines() {
  local count
  count=$(grep -c -E -e "$2" "$3" || true)
  [ "$count" -eq "$1" ] || { echo "expected $1 lines '$2' in $3, got $count"; cat "$3"; faults=1; }
}

# Nothing but the files named may be there: no temporary file stays.
only_files() {
  local found
  found=$(ls)
  [ "$found" = "$(printf '%s\n' "$@" | sort)" ] || { echo "left behind: $found"; faults=1; }
}

refusals() {
  expect 2 tune
  says err "-o FILE"
  expect 2 tune -o p.json
  says err "tourney lab up"
  says err "--launcher"
  expect 2 tune -o p.json --launcher "mpirun -n 2"
  says err "--launcher needs a cluster"
  expect 2 tune single:2 -o p.json --launcher "mpirun" --ranks 2
  expect 2 tune single:2 -o p.json --launcher "mpirun" --lab x
  expect 2 tune single:2 surplus -o p.json
  says err "unknown argument 'surplus'"
  expect 2 tune single:none -o p.json --launcher "mpirun -n 2"
  expect 2 tune single:2 -o p.json --collective gather
  says err "only bcast, allgather, alltoall, reduce, reducescatter and allreduce"
  expect 2 tune single:2 -o p.json --collective alltoallv
  expect 2 tune single:2 -o p.json --bytes 0
  expect 2 tune single:2 -o p.json --max-minutes 0
  expect 2 tune single:2 -o p.json --launcher "mpirun -n 2 'x"
  says err "can't be split"
  expect 3 tune single:2 -o p.json --launcher no_such_launcher
  expect 3 tune single:2 -o no/such/folder/p.json --launcher "mpirun -n 2"
  expect 1 tune single:2 -o p.json --launcher "sh -c 'echo nonsense >&2; exit 5'"
  says err nonsense
  says err "the ranks failed (exit code 5)"
  expect 1 tune single:2 -o p.json --launcher "echo ranks 2 nonsense"
  says err "nothing was measured yet"
  expect 2 tune single:2 -o p.json --launcher "sh -c 'echo raw nonsense'"
  says err "isn't what was asked for"
  expect 2 tune switches:2+2 -o p.json --launcher "mpirun -n 4"
  says err "isn't a host of the cluster"
  only_files err out
}

# The second run goes on where the first was interrupted; a journal of other ranks is refused.
interruption() {
  local code=0 sizes=64,128,256,512,1024,2048,4096,8192,16384,32768 rows=10
  # without job control a background process would ignore SIGINT
  set -m
  "$tool" tune "${by[@]}" -o q.json --bytes "$sizes" --collective alltoall >out 2>err &
  local pid=$!
  set +m
  for _ in $(seq 300); do
    ! grep -q "^row-done" q.json.journal 2>/dev/null || break
    sleep 0.05
  done
  kill -INT "$pid"
  wait "$pid" || code=$?
  [ "$code" -eq 130 ] || { echo "interrupted: exit code $code, not 130"; cat err; faults=1; }
  says err "the same command goes on"
  only_files err out q.json.journal p.json
  local before
  before=$(grep -c "^row-done" q.json.journal)
  if [ "$before" -lt 1 ] || [ "$before" -ge "$rows" ]; then
    echo "interrupted after $before rows"
    faults=1
  fi
  cp q.json.journal kept
  expect 2 tune switches:3+1 -o q.json --launcher "mpirun -n 4"
  says err "another cluster"
  says err "--fresh"
  cmp q.json.journal kept
  expect 0 tune "${by[@]}" -o q.json --bytes "$sizes" --collective alltoall
  says err "$before row"
  says err "measured before"
  lines $((rows - before)) '^row [0-9]+ of [0-9]+: alltoall' err
  lines "$rows" '"algorithm": "native"' q.json
  rm kept
  echo nonsense >q.json.journal
  expect 2 tune "${by[@]}" -o q.json --bytes 512
  says err "--fresh"
  expect 0 tune "${by[@]}" -o q.json --bytes 512 --collective bcast --fresh
  lines 1 '"algorithm": "native"' q.json
  only_files err out p.json q.json
}

by_launcher() {
  export TOURNEY_MAP=block
  by=(switches:2+2 --launcher "mpirun -n 4")
  expect 0 tune "${by[@]}" -o p.json --bytes 256,16KiB --collective bcast,alltoall,reducescatter
  says err "at most 5 minutes in all"
  lines 1 '^tourney tune: 6 rows with [0-9]+ points, about [0-9]+ s$' err
  lines 6 '^row [0-9] of 6: ' err
  lines 6 '"algorithm": "native"' p.json
  lines 1 '"tourney_profile": 2' p.json
  lines 1 '"mpi": "Open MPI' p.json
  lines 1 '"send_overhead_ns": [1-9]' p.json
  lines 6 '^  (bcast|alltoall|reducescatter) ' out
  says out "a message costs"
  only_files err out p.json
  interruption

  # all collectives, each natively and by a plan
  expect 0 tune "${by[@]}" -o c.json --bytes 256 --candidates 1
  lines 12 '"algorithm": ' c.json
  for name in bcast allgather alltoall reduce reducescatter allreduce; do
    lines 1 "^  $name " out
  done
  expect 2 tune "${by[@]}" -o c.json --candidates 25
  # a row that would end too late isn't begun, those behind it are
  expect 0 run --cluster switches:2+2 -- mpirun -n 4 "$(dirname "$tool")/tourney-tune-ranks-openmpi" --max-seconds 5 \
    bcast/64/60000/250/native bcast/128/1/1/native
  lines 0 "^row bcast 64" out
  lines 1 "^row-done bcast 128" out
  lines 1 "^time is up" out

  # Its choice is obeyed: the fastest of the profile serves.
  expect 0 run --cluster switches:2+2 --profile p.json --explain -- mpirun -n 4 \
    "$(dirname "$tool")/mpi_profiled"
  lines 0 "warning" err
  lines 1 "^0 wrong" out
  # and by the tool's own ranks
  expect 0 bench --cluster switches:2+2 --profile p.json --launcher "mpirun -n 4" --bytes 16KiB --repeat 1
  lines 0 "warning" err
  # of another number of ranks
  expect 0 run --cluster switches:2+2 --profile p.json -- mpirun -n 3 "$(dirname "$tool")/mpi_profiled"
  lines 1 "warning: the profile was measured on another number of ranks" err
  # no profile at all
  echo '{' >broken.json
  expect 2 run --profile broken.json -- true
  says err "isn't JSON"
  echo '{"tourney_profile": 3}' >broken.json
  expect 2 run --profile broken.json -- true
  says err "another version"
  expect 2 run --profile missing.json -- true
}

in_the_lab() {
  if ! "$tool" lab up switches:2+2,link=20Mbit/s,trunk=20Mbit/s >out 2>err; then
    echo "skipped: no lab here:"
    cat err
    exit 77
  fi
  expect 0 tune -o p.json --bytes 1KiB,32KiB --map interleaved --collective bcast,alltoall,reduce --max-minutes 1
  lines 6 '^  (bcast|alltoall|reduce) ' out
  # through one trunk, planned exchanges of 32 KiB are faster than native ones, and broadcasts too
  lines 1 '^  alltoall +(shuffle|[a-z-]+) +32KiB ' out
  awk '$1 == "bcast" && $3 == "32KiB" && $6 < 1.2 { print "planned broadcasts are slow: " $0; bad = 1 } END { exit bad }' out ||
    faults=1
  # both ranks of a host's neighbours share the trunk, which costs the processors nothing
  lines 1 '"byte_overhead_ps": [0-9]{1,5},' p.json
  # 64 KiB are Open MPI's eager limit over TCP
  lines 1 '"eager_bytes": 65[0-9]{3},' p.json
  expect 0 bench --profile p.json --map interleaved --collective bcast,alltoall,reduce --bytes 1KiB,32KiB --repeat 3
  lines 0 "warning" err
  # what leads to rank 0 through the trunk is faster by a plan as well, and so it is served
  lines 0 '^reduce +32KiB .*  native ' out
  expect 0 bench --profile p.json --map block --bytes 1KiB --repeat 1
  lines 1 "the profile was measured on ranks on other hosts" err
}

case $part in
launcher) refusals && by_launcher ;;
lab) in_the_lab ;;
esac
exit $faults
