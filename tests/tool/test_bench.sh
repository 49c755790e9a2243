#!/bin/bash
# tourney bench: what it refuses, what it measures, how it ends. `launcher`: by mpirun on this machine, the
# ranks placed by number on a generated cluster; `lab`: in a lab of its own.
# Usage: test_bench.sh TOURNEY launcher BROKEN_RUNTIME | TOURNEY lab
set -eu
tool=$(realpath "$1")
part=$2
broken=${3-}
ranks=$(dirname "$tool")/tourney-bench-ranks-openmpi
. "$(dirname "$0")/../support/mpi_support"
. "$(dirname "$0")/tool_support"
folder=$(mktemp -d)
cleanup() {
  [ "$part" = launcher ] || "$tool" lab down >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap cleanup EXIT
cd "$folder"
unset LD_PRELOAD TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_EXPLAIN TOURNEY_MAP
export TOURNEY_GUARD=0 # planned rows are planned, and not what is faster on this machine
export TOURNEY_LAB=test_bench_$$
header=cluster,map,ranks,collective,bytes,variant,algorithm,median_ms,q1_ms,q3_ms,ratio_to_native,share_of_bound,samples,congestion,predicted_ms

# bench EXIT_CODE ARGUMENT...: its output is in the files out and err
bench() {
  local wanted=$1
  shift
  expect "$wanted" bench "$@"
}

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

# Starts `tourney bench` in the background, waits for its first row, interrupts it, checks how it ends.
interrupt() {
  local got=0
  echo before >kept.csv
  # without job control a background process would ignore SIGINT
  set -m
  "$tool" bench "$@" --csv kept.csv --repeat 100000 --bytes 512 >out 2>err &
  local pid=$!
  set +m
  for _ in $(seq 100); do
    grep -q "row 1 of" err && break
    sleep 0.1
  done
  kill -INT "$pid"
  wait "$pid" || got=$?
  [ "$got" -eq 130 ] || { echo "interrupted: exit code $got, not 130"; faults=1; }
  says err "interrupted; 0 of 3 rows measured"
  says kept.csv before
  if pgrep -f "tourney-bench-ranks-openmpi.*--repeat 100000" >/dev/null; then
    echo "ranks are left behind"
    faults=1
  fi
  rm kept.csv
  only_files err out
}

refusals() {
  bench 2
  says err "--launcher 'mpirun ...'"
  says err "tourney lab up"
  bench 2 --launcher "mpirun -n 2"
  says err "--launcher needs --cluster"
  bench 2 --launcher "mpirun -n 2 'x" --cluster single:2
  says err "can't be split"
  bench 2 --launcher "mpirun" --cluster single:2 --ranks 2
  bench 2 --launcher "mpirun" --cluster single:none
  bench 2 --collective gather
  says err "neighbor_alltoall"
  bench 2 --collective neighbor_bcast
  bench 2 --grid 4y4
  says err "one to three sides"
  bench 2 --bytes 64furlongs
  bench 2 --bytes 0
  bench 2 --collective barrier --bytes 64
  says err "a barrier has no --bytes"
  bench 2 --uneven 1:-1
  says err "uneven sizes are given as the least to the most"
  bench 2 --map diagonal
  says err "--map is block or interleaved"
  TOURNEY_MAP=diagonal bench 2 --launcher mpirun --cluster single:2
  says err "TOURNEY_MAP is block or interleaved, not 'diagonal'"
  bench 2 --repeat 0
  says err "--repeat wants a whole number"
  bench 2 --algorithm wednesday
  says err "alltoall has: native"
  bench 2 --algorithm alltoall=wednesday
  TOURNEY_ALGORITHM=alltoall=wednesday bench 2 --launcher mpirun --cluster single:2
  says err "alltoall has no algorithm 'wednesday'"
  bench 2 surplus
  bench 2 --check -xy
  says err "unknown option -x"
  bench 2 --launcher mpirun --cluster single:2 --congestion bbr
  says err "--congestion is for the lab"
  bench 2 --congestion cubic,bbr --chart x.svg
  says err "--chart draws the rows of one congestion control"
  bench 2 --congestion ''
  bench 0 -h
  says out "usage: tourney bench"
  bench 2 --csv
  bench 0 --help
  says out "usage: tourney bench"
  bench 3 --launcher no_such_launcher --cluster single:2
  says err "no_such_launcher"
  PATH=/nonexistent bench 3 --launcher mpirun --cluster single:2
  says err "openmpi-bin"
  bench 3 --launcher mpirun --cluster single:2 --csv no/such/folder/x.csv
  says err "can't be written"
}

by_launcher() {
  local by=(--cluster switches:2+2,link=1Gbit/s --launcher "mpirun -n 4")

  # hosts that the cluster doesn't know
  bench 2 "${by[@]}" --bytes 64
  says err "isn't a host of the cluster"

  export TOURNEY_MAP=interleaved
  bench 0 "${by[@]}" --bytes 100,65536 --repeat 3 --csv table.csv
  says out "map interleaved"
  lines 6 '^(bcast|allgather|alltoall) ' out
  lines 6 '^row [0-9] of 6: ' err
  [ "$(head -n 1 table.csv)" = "$header" ] || { echo "wrong header"; faults=1; }
  lines 6 '^"switches:2\+2,link=1Gbit/s",interleaved,4,[a-z]+,[0-9]+,native,native,([0-9.]+,){3}1.0000,[0-9.]+,3,,$' table.csv
  lines 6 ',interleaved,4,[a-z]+,[0-9]+,planned,[a-z-]+,([0-9.]+,){5}3,,[0-9.]*$' table.csv
  lines 1 ',alltoall,65536,planned,shuffle,' table.csv
  rm table.csv
  only_files err out

  # one algorithm for who has it; CSV instead of the table
  bench 0 "${by[@]}" --collective alltoall,bcast --bytes 20000 --repeat 1 --algorithm shift --csv -
  lines 1 ',alltoall,20000,planned,shift,' out
  lines 1 ',bcast,20000,planned,' out
  lines 5 . out
  only_files err out

  # a few long blocks and many short ones
  bench 0 "${by[@]}" --collective alltoallv,allgatherv,gatherv,scatterv,reduce_scatter --bytes 3000 --uneven zipf \
    --repeat 1 --csv -
  lines 5 '(v|_scatter),3000,planned,' out
  only_files err out

  # neighbours on a grid: planned, and right; sides of 2 have two edges to the same rank
  bench 0 "${by[@]}" --collective neighbor_alltoall,neighbor_alltoallv,neighbor_allgather,neighbor_allgatherv \
    --grid 2x2 --bytes 64KiB --uneven zipf --repeat 1 --csv table.csv
  says out "neighbours on a grid of 2x2"
  lines 4 ',neighbor_(alltoall|allgather)v?,65536,planned,planned-phases,' table.csv
  bench 0 "${by[@]}" --collective neighbor_alltoall --grid 4 --bytes 64KiB --repeat 1 --algorithm native
  says out "neighbours on a grid of 4;"
  bench 0 "${by[@]}" --collective neighbor_alltoallv --bytes 1KiB --repeat 1
  says out "neighbours on a grid of 2x2"
  bench 1 "${by[@]}" --collective neighbor_alltoall --grid 3x2 --bytes 1KiB --repeat 1
  says err "there are 4 ranks"
  rm table.csv
  only_files err out

  # every peer is called and right, at sizes where all of them take part
  bench 0 "${by[@]}" --bytes 200000 --repeat 1 --peers --csv table.csv
  says out "best peer"
  lines 1 ',bcast,200000,"tuned:bcast=pipeline,segment=8KiB",native,' table.csv
  "$tool" report bench table.csv >/dev/null || { echo "tourney report doesn't read the CSV"; faults=1; }
  lines 20 ',bcast,200000,("?tuned:bcast=|han,)' table.csv
  lines 6 ',allgather,200000,(tuned:allgather=|han,)' table.csv
  lines 4 ',alltoall,200000,tuned:alltoall=' table.csv
  rm table.csv
  # no time for more than native and planned
  cat >late <<'EOF'
#!/bin/sh
printf 'ranks 2\nrank 0 host a\nrank 1 host b\nrow 1 1 bcast 64\n'
printf 'sample bcast 64 %s native 0.001\n' native planned
echo untried bcast 64 han
echo done
EOF
  chmod +x late
  bench 0 --cluster single:2 --launcher ./late --collective bcast --bytes 64 --peers
  says out "bcast 64B: no time for 1 peer: give --max-seconds more to try all"
  rm late

  # ranks that fail
  bench 1 --cluster switches:2+2 --launcher "sh -c 'echo nonsense >&2; exit 5'"
  says err nonsense
  says err "the ranks failed (exit code 5); 0 of 9 rows measured"
  bench 1 --cluster switches:2+2 --launcher "true" --csv never.csv
  says err "no CSV written"
  only_files err out

  # more ranks than fit
  bench 2 --cluster single:1 --launcher "echo ranks 65"
  says err "65 ranks don't fit on 1 host: at most 64 a host"

  # a planned row that is slower, by ranks that only pretend
  cat >pretend <<'EOF'
#!/bin/sh
printf 'ranks 2\nrank 0 host a\nrank 1 host b\nrow 1 1 bcast 64\n'
printf 'sample bcast 64 native native %s\n' 0.001 0.002 0.003
printf 'sample bcast 64 planned pipelined-linear %s\n' 0.003 0.004 0.005
echo done
EOF
  chmod +x pretend
  bench 0 --cluster single:2 --launcher ./pretend --collective bcast --bytes 64
  says out "2.00 (1.50..2.50)"
  says out " 0.50 "
  bench 1 --cluster single:2 --launcher ./pretend --collective bcast --bytes 64 --check
  says err "slower than native: 0.50"
  # rows that weren't asked for
  bench 2 --cluster single:2 --launcher ./pretend --collective bcast --bytes 65
  says err "isn't what was asked for"
  rm pretend

  # one wrong byte at one rank
  if mpirun -n 3 -x LD_PRELOAD="$broken" "$ranks" --collective alltoall --bytes 1000 >out 2>err; then
    echo "a wrong byte wasn't found"
    faults=1
  fi
  says err "alltoall of 1000 bytes: rank 1: block 0 of the result: wrong byte at offset 999: expected 0x"
  # no runtime at all
  if mpirun -n 2 "$ranks" --bytes 8 >out 2>err; then
    echo "ranks without the runtime must fail"
    faults=1
  fi
  says err "the runtime isn't loaded"

  interrupt "${by[@]}"
  signals
}

# bench_signal SIGNAL WRAPPER...: the exit code in `code`, by a launcher that takes three seconds
bench_signal() {
  local signal=$1
  code=0
  shift
  set -m
  "$@" "$tool" bench --cluster single:2 --launcher ./slow --csv kept.csv >out 2>err &
  local pid=$!
  set +m
  for _ in $(seq 50); do
    [ ! -e started ] || break
    sleep 0.1
  done
  kill -"$signal" "$pid"
  wait "$pid" || code=$?
  rm -f started
}

# What ends a bench leaves no temporary file; what was ignored stays so.
signals() {
  printf '#!/bin/sh\n: >started\nsleep 3 & wait\nexit 5\n' >slow
  chmod +x slow
  for signal in HUP QUIT TERM; do
    bench_signal $signal
    [ "$code" -eq 130 ] || { echo "SIG$signal: exit code $code, not 130"; faults=1; }
    only_files err out slow
  done
  bench_signal HUP nohup
  says err "the ranks failed (exit code 5)"
  only_files err out slow
  rm slow
}

# The second says who measures, and stops; once the first has ended, it measures.
two_at_once() {
  "$tool" bench --collective bcast --bytes 1MiB --repeat 20 >first 2>&1 &
  local pid=$!
  for _ in $(seq 100); do
    ! grep -q " $pid " /proc/locks || break
    sleep 0.1
  done
  bench 2 --collective bcast --bytes 1KiB --repeat 1
  says err "process $pid measures in the lab '$TOURNEY_LAB' already"
  kill -TERM "$pid"
  wait "$pid" || true
  bench 0 --collective bcast --bytes 1KiB --repeat 1
  rm first
}

in_the_lab() {
  if ! "$tool" lab up switches:2+2,link=20Mbit/s,trunk=20Mbit/s >out 2>err; then
    echo "skipped: no lab here:"
    cat err
    exit 77
  fi
  bench 0 --bytes 16KiB --repeat 3 --map interleaved --csv table.csv
  lines 3 ',interleaved,4,[a-z]+,16384,planned,[a-z-]+,' table.csv
  lines 6 '^"switches:2\+2,link=20Mbit/s,trunk=20Mbit/s",' table.csv
  # A lab's port passes 3200 bytes at once before it keeps to its rate (docs/lab.md), which the bound doesn't know of. A broadcast has
  # a port carry a block, the others one for each other rank.
  awk -F, 'NR > 1 { bytes = $(NF - 10) * ($(NF - 11) == "bcast" ? 1 : $(NF - 12) - 1); share = $(NF - 3) }
    NR > 1 && (share <= 0.05 || share > bytes / (bytes - 3200)) { print "share out of range: " $0; bad = 1 } END { exit bad }' table.csv ||
    faults=1
  rm table.csv
  # what is forced is what runs: in a line of four, cut in segments, each link carries the message once
  # at the same time; from one port to all others it takes three times as long
  bench 0 --collective bcast --bytes 128KiB --repeat 3 --peers --csv table.csv --chart chart.svg
  awk -F, '/=pipeline,segment=8KiB/ { fast = $(NF - 7) } /=basic_linear/ { slow = $(NF - 7) }
    END { if (!(fast > 0 && slow > 1.5 * fast)) { print "not forced: " fast " ms, " slow " ms"; exit 1 } }' table.csv || faults=1
  says chart.svg "best peer"
  rm table.csv chart.svg
  # each congestion control in its turn, and then the lab's own again
  bench 0 --collective bcast --bytes 16KiB --repeat 1 --congestion reno,cubic --csv table.csv
  says out "congestion control reno;"
  lines 2 ',1,reno,[0-9.]*$' table.csv
  lines 2 ',1,cubic,[0-9.]*$' table.csv
  lines 1 '^cluster,' table.csv
  bench 2 --collective bcast --bytes 64 --repeat 1 --congestion reno,none --csv table.csv
  says err "this kernel has no TCP congestion control 'none'"
  "$tool" lab exec h0 -- ip route >routes
  lines 1 'congctl cubic' routes
  rm table.csv routes
  bench 0 --collective alltoall --bytes 1KiB --ranks 3 --repeat 1
  says out "3 ranks, map block"
  two_at_once
  bench 2 --ranks 257
  says err "257 ranks don't fit on 4 hosts"
  mkdir without
  for program in sh env; do ln -s "$(command -v $program)" without/; done
  PATH=$folder/without bench 3 --bytes 64
  says err "openmpi-bin"
  rm -r without
  interrupt --map block
  "$tool" lab down >/dev/null
  bench 2
  says err "is up"
}

case $part in
launcher) refusals && by_launcher ;;
lab) in_the_lab ;;
esac
exit $faults
