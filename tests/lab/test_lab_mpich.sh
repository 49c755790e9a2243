#!/bin/bash
# Programs of MPICH in the lab, from outside: recognised, placed, planned, measured, and nothing left behind.
# usage: test_lab_mpich.sh TOOL PING user|root
set -u
tool=$(realpath "$1") ping=$(realpath "$2") who=$3
stream=$ping
ranks=$(dirname "$tool")/tourney-bench-ranks-mpich

. "$(dirname "$0")/functions.bash"
command -v mpiexec.mpich >/dev/null || skip "there is no mpiexec.mpich (package mpich)"

a_program_is_recognised_and_ends_in_order() {
  for _ in 1 2 3 4; do
    expect 0 timeout 20 "${as[@]}" "$tool" lab run -- "$ping" 1 20
  done
  expect 2 lab run --mpi lam -- "$ping" 1 1
  says "no runtime for 'lam'"
  mkdir -p without
  ln -sf "$(command -v mpirun)" without/
  expect 3 "${as[@]}" env PATH="$work/without" "$tool" lab run -- "$ping" 1 1
  says "install the package mpich"
}

ranks_sit_where_the_map_says() {
  local print='echo "$PMI_RANK $(hostname)"'
  expect 0 lab run --mpi mpich -- sh -c "$print"
  [ "$(sort -n "$work/out" | tr '\n' ' ')" = "0 h0 1 h1 2 h2 3 h3 " ] || fault "block"
  expect 0 lab run --mpi=mpich -n 6 -- sh -c "$print"
  [ "$(sort -n "$work/out" | tr '\n' ' ')" = "0 h0 1 h0 2 h1 3 h2 4 h2 5 h3 " ] || fault "six in blocks"
  expect 0 lab run --mpi mpich -n 6 --map interleaved -- sh -c "$print"
  [ "$(sort -n "$work/out" | tr '\n' ' ')" = "0 h0 1 h2 2 h1 3 h3 4 h0 5 h2 " ] || fault "interleaved"
}

# Bytes that host h0 has received from itself.
loopback_bytes() {
  lab exec h0 -- awk '$1 == "lo:" { print $2 }' /proc/self/net/dev
}

ranks_of_a_host_talk_through_its_memory_and_others_do_not() {
  local before
  before=$(loopback_bytes)
  expect 0 lab run -n 16 -- "$ping" 4000 1000
  within $(($(loopback_bytes) - before)) 0 2000000
  expect 0 lab run -n 8 --map interleaved -- "$ping" 200000 1
  within "$(awk '{ print $1 }' "$work/out")" 150000 2000000
}

variables_reach_every_rank_as_they_are() {
  local odd=$'one two\n"three" $four'
  expect 0 env TOURNEY_ODD="$odd" "${as[@]}" "$tool" lab run --mpi mpich -- sh -c 'printf "%s" "$TOURNEY_ODD" | md5sum'
  [ "$(sort "$work/out" | uniq -c | awk '{ print $1, $2 }')" = "4 $(printf %s "$odd" | md5sum | cut -c1-32)" ] ||
    fault "not the same on all four"
}

time_and_signals_end_every_rank() {
  local run
  expect 124 lab run --mpi mpich --timeout 1 -- sleep 94
  start run --mpi mpich -- sleep 98
  run=$!
  wait_for_inside sleep
  kill -INT "$run" || fault "nothing to interrupt"
  wait "$run"
  [ $? -eq 130 ] || fault "an interrupted run doesn't give 130"
  [ "$(count_inside sleep)" -eq 0 ] || fault "ranks outlive their run"
  [ "$(count_inside hydra_pmi_proxy)" -eq 0 ] || fault "daemons outlive their run"
  expect 3 lab run --mpi mpich -n 2 -- sh -c 'exit 3'
}

# The program checks every byte of every result; native calls are those that it asks for.
its_collectives_are_planned() {
  expect 0 "${as[@]}" "$tool" run --no-guard --explain -- "$tool" lab run -- "$ranks" --repeat 3 --warmup 1 \
    --uneven 1:8 --collective alltoall --bytes 8192 --collective allgather --bytes 8192 --collective bcast \
    --bytes 65536 --collective alltoallv --bytes 16384 --collective allgatherv --bytes 16384
  local name
  for name in alltoall allgather bcast alltoallv allgatherv; do
    grep -q -E "^sample $name [0-9]+ planned [a-z]" "$work/out" || fault "$name: no sample of a plan"
    grep -q -E "^sample $name [0-9]+ planned native" "$work/out" && fault "$name: native as planned"
    grep -q -E "^ +$name +[1-9][0-9]* +[0-9]+ +[a-z0-9-]+ +asked for$|^ +$name +[1-9]" "$work/err" ||
      fault "$name isn't in the table"
  done
}

it_is_measured() {
  expect 0 env TOURNEY_GUARD=0 "${as[@]}" "$tool" bench --mpi mpich --collective alltoall,alltoallv,neighbor_alltoall \
    --bytes 8KiB --repeat 3
  says "4 ranks, map block, MPICH,"
  grep -q -E "^alltoallv +8KiB " "$work/out" || fault "no row of alltoallv"
  grep -q -E "^neighbor_alltoall +8KiB .*planned-phases" "$work/out" || fault "no plan in the row of neighbours"
  grep -q -E "^alltoall +8KiB .*(shuffle|shift|phases)" "$work/out" || fault "no plan in the row of alltoall"
  expect 2 "${as[@]}" "$tool" bench --mpi mpich --peers
  says "none of MPICH's can be forced"
  expect 2 "${as[@]}" "$tool" tune --mpi mpich --native-algorithms -o profile
  says "none of MPICH's can be forced"
}

lab up switches:2+2,link=20Mbit/s,trunk=20Mbit/s >"$work/out" 2>"$work/err" || skip "no lab here: $(cat "$work/err")"
for part in a_program_is_recognised_and_ends_in_order ranks_sit_where_the_map_says \
  ranks_of_a_host_talk_through_its_memory_and_others_do_not variables_reach_every_rank_as_they_are \
  time_and_signals_end_every_rank its_collectives_are_planned it_is_measured; do
  $part
done
expect 0 lab down
[ "$(count_keepers)" -eq 0 ] || fault "a keeper stays"
exit $((faults > 0))
