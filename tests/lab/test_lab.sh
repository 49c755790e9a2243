#!/bin/bash
# The lab from outside: the tool is run, what it says and leaves behind is looked at.
# usage: test_lab.sh TOOL STREAM PING user|root INTERRUPTING
set -u
tool=$(realpath "$1") stream=$(realpath "$2") ping=$(realpath "$3") who=$4 interrupting=$(realpath "$5")

. "$(dirname "$0")/functions.bash"

machine_network() {
  ip -o link | sed 's/ state .*//'
  ls /run/netns /var/run/netns 2>/dev/null
  cat /proc/sys/net/ipv4/tcp_allowed_congestion_control
}

comes_up_and_says_what_it_is() {
  expect 0 lab up switches:2+2,link=20Mbit/s --buffer 32KiB
  says "4 hosts, 2 switches"
  expect 0 lab status
  says "h0 h1 h2 h3"
  says "20Mbit/s"
  says "32KiB"
  says "cubic"
  expect 0 lab status --links --json
  says '"from": "s0", "to": "s1", "bandwidth_bps": 20000000, "buffer_bytes": 32768'
  expect 2 lab up single:2
  says "is up already.*'tourney lab down'"
}

each_host_is_a_machine_of_its_own() {
  expect 0 lab exec h2 -- sh -c 'hostname; ip -o -4 addr show dev eth0; getent hosts h3; pwd'
  says '^h2$'
  says '10\.77\.0\.3/16'
  says '10\.77\.0\.4 *h3'
  says "^$work\$"
  expect 5 lab exec h1 sh -c 'exit 5'
  expect 137 lab exec h1 -- sh -c 'kill -KILL $$'
  expect 3 lab exec h1 -- nosuch
  says "can't run nosuch"
  expect 2 lab exec nobody -- true
  says "no host or switch named 'nobody'"
}

switches_forward_by_the_clusters_routes() {
  expect 0 lab exec s0 -- ip route get 10.77.0.4
  says 'via 10\.76\.0\.2'
  expect 0 lab exec s1 -- ip route get 10.77.0.4
  says 'dev p[0-9]'
}

ranks_sit_where_the_map_says() {
  local print='echo "$OMPI_COMM_WORLD_RANK $(hostname)"'
  expect 0 lab run -- sh -c "$print"
  [ "$(sort -n "$work/out" | tr '\n' ' ')" = "0 h0 1 h1 2 h2 3 h3 " ] || fault "block"
  expect 0 lab run --map interleaved -- sh -c "$print"
  [ "$(sort -n "$work/out" | tr '\n' ' ')" = "0 h0 1 h2 2 h1 3 h3 " ] || fault "interleaved"
  expect 0 lab run -n 6 -- sh -c "$print"
  [ "$(awk '{ print $2 }' "$work/out" | sort -u | wc -l)" -eq 4 ] || fault "six ranks on four hosts"
  expect 2 lab run -n 257 -- true
  says "257 ranks don't fit: at most 64 a host, 256 in this lab"
  expect 2 lab run -n 4000000000 -- true
  expect 0 lab run -n 2 --mpi-arg -x --mpi-arg GREETING=hello -- sh -c 'echo $GREETING'
  says hello
}

# Bytes that host h0 has received from itself.
loopback_bytes() {
  lab exec h0 -- awk '$1 == "lo:" { print $2 }' /proc/self/net/dev
}

# Ranks 0 and 1 are on one host in blocks, and on two when interleaved, whose 20 Mbit/s are seen.
ranks_of_a_host_talk_through_its_memory_and_others_do_not() {
  local print='echo "$OMPI_MCA_btl"' before
  expect 0 lab run -n 8 -- sh -c "$print"
  [ "$(sort "$work/out" | uniq -c | awk '{ print $1, $2 }')" = "8 tcp,vader,self" ] || fault "shared"
  expect 0 lab run -n 4 -- sh -c "$print"
  [ "$(sort "$work/out" | uniq -c | awk '{ print $1, $2 }')" = "4 tcp,self" ] || fault "not shared"
  before=$(loopback_bytes)
  expect 0 lab run -n 16 -- "$ping" 1000000 10
  within $(($(loopback_bytes) - before)) 0 2000000
  expect 0 lab run -n 8 --map interleaved -- "$ping" 200000 1
  within "$(awk '{ print $1 }' "$work/out")" 150000 2000000
  expect 0 "${as[@]}" "$tool" bench --collective alltoall,allgather --bytes 1KiB --repeat 2 --ranks 16
  says "16 ranks"
}

# Their files would have the same names in /dev/shm: both jobs begin with the same process ids.
two_runs_on_the_same_hosts_do_not_share_memory() {
  local first
  lab run -n 8 -- "$ping" 100000 2000 >"$work/first" 2>&1 &
  first=$!
  expect 0 lab run -n 8 -- "$ping" 200000 1000
  wait "$first" || fault "the other run: $(cat "$work/first")"
}

variables_reach_every_rank_as_they_are() {
  local odd=$'one two\n"three" $four'
  expect 0 env TOURNEY_ODD="$odd" "${as[@]}" "$tool" lab run -- sh -c 'printf "%s" "$TOURNEY_ODD" | md5sum'
  [ "$(sort "$work/out" | uniq -c | awk '{ print $1, $2 }')" = "4 $(printf %s "$odd" | md5sum | cut -c1-32)" ] ||
    fault "not the same on all four"
  expect 0 lab run -n 1 -- sh -c 'echo "$TOURNEY_CLUSTER"'
  says s1
}

a_stream_through_two_switches_gets_the_links_rate() {
  expect 0 lab run -n 4 --map block -- sh -c "exit 0"
  expect 0 lab run -n 2 --map interleaved -- "$stream" 2000000
  within "$(tail -n 1 "$work/out")" 18 20
}

an_overflowing_port_drops_and_is_counted() {
  expect 0 lab run -n 4 -- "$stream" 500000
  expect 0 lab status --links
  within "$(awk '$1 == "s1" && $2 == "h3" { print $NF }' "$work/out")" 1 1000000
}

a_signal_ends_every_rank() {
  start run -- sleep 98
  local run=$!
  wait_for_inside sleep
  kill -INT "$run" || fault "nothing to interrupt"
  wait "$run"
  [ $? -eq 130 ] || fault "an interrupted run doesn't give 130"
  [ "$(count_inside sleep)" -eq 0 ] || fault "ranks outlive an interrupted run"
  [ "$(count_inside orted)" -eq 0 ] || fault "daemons outlive an interrupted run"
}

what_the_caller_ignores_is_left_to_it() {
  local run
  "${as[@]}" "$tool" lab run -- sleep 2 >"$work/out" 2>"$work/err" & # bash has it ignore SIGINT
  run=$!
  wait_for_inside sleep
  kill -INT "$run"
  wait "$run"
  [ $? -eq 0 ] || fault "an ignored SIGINT ends a run"
  expect 124 env --ignore-signal=TERM "${as[@]}" "$tool" lab run --timeout 1 -- sleep 94
  [ "$(count_inside sleep)" -eq 0 ] || fault "ranks outlive their time where SIGTERM is ignored"
  expect 0 env --ignore-signal=CHLD "${as[@]}" "$tool" lab run -- true
}

a_lack_of_files_is_an_error() {
  local files
  for files in $(seq 4 16); do
    (ulimit -n "$files" && lab exec h0 -- true) >"$work/out" 2>"$work/err" &
    for _ in $(seq 100); do
      kill -0 $! 2>/dev/null || break
      sleep 0.05
    done
    kill -KILL $! 2>/dev/null && fault "with $files files, exec never ends"
    wait $! 2>/dev/null
  done
  expect 0 lab up --name few single:2
  for files in $(seq 4 16); do
    if (ulimit -n "$files" && lab down --name few) >"$work/out" 2>"$work/err"; then
      [ "$(count_keepers)" -eq 1 ] || fault "with $files files, down leaves a keeper behind"
      return
    fi
  done
  fault "down never managed"
}

a_preload_of_the_callers_own_stays() {
  local first second
  first=$(ldconfig -p | awk '/libm\.so\.6/ { print $NF; exit }')
  second=$(ldconfig -p | awk '/libdl\.so\.2/ { print $NF; exit }')
  expect 0 env LD_PRELOAD="$second" TOURNEY_PRELOAD="$first" "${as[@]}" "$tool" lab run -n 4 -- \
    sh -c 'echo "$LD_PRELOAD"'
  [ "$(grep -c -x -F "$first:$second" "$work/out")" -eq 4 ] || fault "not on all four"
  expect 2 env TOURNEY_PRELOAD="/a b/c.so" "${as[@]}" "$tool" lab run -- true
  says "space or a colon"
}

a_killed_run_leaves_no_rank() {
  start run -- sleep 97
  local run=$!
  wait_for_inside sleep
  kill -KILL "$run"
  wait "$run" 2>/dev/null
  for _ in $(seq 40); do
    [ "$(count_inside sleep)" -gt 0 ] || return 0
    sleep 0.05
  done
  fault "ranks outlive a killed run"
}

a_run_ends_with_its_time_or_its_programs_code() {
  expect 124 lab run --timeout 1 -- sleep 96
  [ "$(count_inside sleep)" -eq 0 ] || fault "ranks outlive their time"
  expect 7 lab run -n 2 -- sh -c 'exit 7'
  expect 3 env PATH=/nonexistent "$(command -v env)" "${as[@]/#setpriv/$(command -v setpriv)}" "$tool" \
    lab run -- true
  says openmpi-bin
}

the_inside_is_a_lab_too() {
  expect 0 lab exec h1 -- "$tool" lab run -n 3 -- hostname
  [ "$(sort "$work/out" | tr '\n' ' ')" = "h0 h1 h2 " ] || fault "a run inside"
  expect 2 lab exec h1 -- "$tool" lab down
  says "inside a lab"
}

two_labs_do_not_collide() {
  expect 0 lab up --name other single:2
  expect 0 lab exec --name other h1 -- ip -o -4 addr show dev eth0
  says '10\.77\.0\.2/16'
  expect 0 env TOURNEY_LAB=other "${as[@]}" "$tool" lab status
  says "single:2"
  expect 2 lab up --name other single:2
  says "'tourney lab down --name other'"
  expect 0 lab down --name other
  expect 2 lab status --name other
  expect 0 lab exec h3 -- hostname
}

a_killed_lab_is_cleared() {
  start exec h0 -- sleep 95
  wait_for_inside sleep
  kill_keeper
  wait $!
  expect 2 lab status
  says "tourney lab up"
  expect 2 lab run -- true
  expect 0 lab down
  expect 2 lab down
  expect 0 lab up single:2
  kill_keeper
  expect 0 lab up single:3
  expect 0 lab exec h2 -- hostname
  expect 0 lab down
  [ -z "$(ls -A "$work/run")" ] || fault "files stay behind: $(ls -AR "$work/run")"
}

an_up_that_is_killed_leaves_no_keeper() {
  local delay up
  for delay in 0.01 0.05 0.1; do
    start up single:40
    up=$!
    sleep $delay
    kill -KILL "$up" 2>/dev/null
    wait "$up" 2>/dev/null
    sleep 0.5
    lab down >/dev/null 2>&1
  done
  [ "$(count_keepers)" -eq 0 ] || fault "keepers stay behind"
  expect 0 lab up single:2
  [ "$(count_keepers)" -eq 1 ] || fault "one keeper was expected"
  expect 0 lab down
  [ "$(count_keepers)" -eq 0 ] || fault "a keeper stays behind"
}

an_up_that_is_interrupted_leaves_nothing() {
  local delay up code
  for delay in 0.01 0.03 0.06 0.1 0.2; do
    start up single:40
    up=$!
    sleep $delay
    kill -INT "$up" 2>/dev/null
    wait "$up" 2>/dev/null
    code=$?
    case $code in
    0) lab down ;;
    130) [ -z "$(ls -A "$work/run")" ] || fault "files stay behind: $(ls -AR "$work/run")" ;;
    *) fault "an interrupted up gives $code" ;;
    esac
  done
  sleep 0.5
  [ "$(count_keepers)" -eq 0 ] || fault "keepers stay behind"
}

an_up_that_is_interrupted_at_its_end_says_what_is_up() {
  expect 0 env LD_PRELOAD="$interrupting" "${as[@]}" "$tool" lab up single:2
  says "is up: 2 hosts"
  expect 0 lab down
}

a_lab_whose_folder_vanishes_ends() {
  expect 0 lab up single:2
  rm -rf "$work/run/tourney"
  for _ in $(seq 60); do
    [ "$(count_keepers)" -gt 0 ] || return 0
    sleep 0.1
  done
  fault "a keeper that nobody can find stays"
}

a_folder_of_others_is_not_trusted() {
  local path
  for path in tourney tourney/lab; do
    "${as[@]}" mkdir -m 700 "$work/run/tourney"
    if [ $path = tourney ]; then
      chmod 755 "$work/run/tourney"
    else
      "${as[@]}" mkdir -m 700 "$work/run/elsewhere"
      "${as[@]}" ln -s ../elsewhere "$work/run/tourney/lab"
    fi
    for command in "up single:2" down status "exec h0 true" "run true"; do
      expect 3 lab $command
      says "$path isn't a folder of this user alone"
    done
    rm -rf "$work/run/tourney" "$work/run/elsewhere"
  done
  [ ${#as[@]} -gt 0 ] || return 0
  mkdir -m 700 "$work/run/tourney" # root's
  expect 3 lab status
  says "isn't a folder of this user alone"
  rmdir "$work/run/tourney"
}

# The folder's path goes to tools that cut their input at spaces.
a_runtime_folder_with_a_space_is_no_hindrance() {
  local name=spaced-$$ spaced
  "${as[@]}" mkdir -m 700 "$work/run/a folder"
  spaced=(env XDG_RUNTIME_DIR="$work/run/a folder" "${as[@]}" "$tool" lab)
  expect 0 "${spaced[@]}" up --name $name single:2
  expect 0 "${spaced[@]}" run --name $name -- hostname
  [ "$(sort "$work/out" | tr '\n' ' ')" = "h0 h1 " ] || fault "not a rank on each host"
  expect 0 "${spaced[@]}" down --name $name
  rmdir "$work/run/a folder" || fault "files stay behind"
}

# A caller may have closed them; what it opens then takes their numbers.
a_caller_without_standard_files_gets_a_lab_as_well() {
  local closed file
  for closed in "<&-" ">&-" "<&- >&-" "<&- 2>&-" "<&- >&- 2>&-"; do
    eval 'lab up single:2 >"$work/out" 2>"$work/err" '"$closed"
    for file in 0 1 2; do
      expect 0 lab exec h0 -- readlink /proc/1/fd/$file # pid 1 is the keeper
      says '^/dev/null$'
    done
    eval 'lab run -- true >"$work/out" 2>"$work/err" '"$closed" || fault "no run with $closed"
    eval 'lab status --links >"$work/out" 2>"$work/err" '"$closed"
    ! grep -q "can't enter" "$work/err" || fault "no status with $closed"
    expect 0 lab down
  done
}

a_machine_without_a_hosts_file_is_refused() {
  expect 3 "${as[@]}" unshare -Urm sh -c "cp /etc/ld.so.cache '$work/run' &&
    mount -t tmpfs none /etc && cp '$work/run/ld.so.cache' /etc && exec '$tool' lab up single:2"
  says "no /etc/hosts"
  rm -f "$work/run/ld.so.cache"
  [ -z "$(ls -A "$work/run")" ] || fault "files stay behind: $(ls -AR "$work/run")"
}

tools_that_fail_tell_why() {
  mkdir -p "$work/tools"
  printf '#!/bin/sh\ncat >/dev/null\necho "an odd fault" >&2\nexit 1\n' >"$work/tools/tc"
  chmod 755 "$work/tools" "$work/tools/tc"
  expect 3 env PATH="$work/tools:$PATH" "${as[@]}" "$tool" lab up single:2,latency=5ms
  says "an odd fault"
}

what_cannot_be_is_refused() {
  expect 2 lab up single:2 --congestion nonesuch
  says "no TCP congestion control 'nonesuch'"
  expect 2 lab up single:2 --buffer 7parsecs
  expect 2 lab up --name ../escape single:2
  expect 2 lab up
  expect 2 lab run
  expect 2 lab up -xy
  says "the option -x"
  expect 2 lab down --nonesuch
  says "the option --nonesuch"
  expect 2 lab down --all=yes
  says "takes no value"
  expect 2 lab status --name
  says "status --name wants a value"
  expect 2 lab --name x down
  says "the command comes first"
  expect 2 lab nonesuch
  expect 2 lab run -n 0 -- true
  expect 2 lab run -- true
  [ -z "$(ls -A "$work/run")" ] || fault "files stay behind: $(ls -AR "$work/run")"
}

# A user namespace in which no other, or only a few network namespaces, may be made.
limits_of_the_machine_are_told() {
  local drop="setpriv --inh-caps=-all --bounding-set=-all"
  expect 3 "${as[@]}" unshare -Ur sh -c \
    "echo 0 >/proc/sys/user/max_user_namespaces; exec $drop '$tool' lab up single:2"
  says "can't make namespaces here"
  expect 3 "${as[@]}" unshare -Ur sh -c \
    "echo 3 >/proc/sys/user/max_net_namespaces; exec '$tool' lab up single:8"
  says "takes 10 network namespaces, and 3 are all"
  # 20,000 namespaces and 100 million routes: more than there is memory, or than there may be mounts.
  expect 3 timeout 20 "${as[@]}" unshare -Ur sh -c \
    "echo 20000 >/proc/sys/user/max_net_namespaces; exec '$tool' lab up torus:100x100,latency=0us"
  grep -q -E "takes (20001 network namespaces|about [0-9]+ MiB)" "$work/err" ||
    fault "20,000 namespaces are tried"
  [ -z "$(ls -A "$work/run")" ] || fault "files stay behind: $(ls -AR "$work/run")"
}

# What takes two seconds or more says what it takes and how far it is.
a_long_up_says_how_far_it_is() {
  local began=$SECONDS
  expect 0 lab up torus:16x16,latency=0us
  if [ $((SECONDS - began)) -ge 4 ]; then
    says "takes 513 namespaces, 768 cables and 65792 routes, about [0-9]* MiB"
    says "[0-9]* of [0-9]* "
  elif [ $((SECONDS - began)) -lt 2 ]; then
    [ ! -s "$work/err" ] || fault "a short up talks"
  fi
  lab down
  expect 0 lab up single:2
  [ ! -s "$work/err" ] || fault "a short up talks"
  lab down
}

machine_network >"$work/before"
lab up single:2 >"$work/out" 2>"$work/err"
case $? in
0) lab down ;;
3) skip "$(cat "$work/err")" ;;
*) fault "the smallest lab doesn't come up" ;;
esac

for test in comes_up_and_says_what_it_is each_host_is_a_machine_of_its_own \
  switches_forward_by_the_clusters_routes ranks_sit_where_the_map_says \
  ranks_of_a_host_talk_through_its_memory_and_others_do_not \
  two_runs_on_the_same_hosts_do_not_share_memory \
  variables_reach_every_rank_as_they_are a_stream_through_two_switches_gets_the_links_rate \
  an_overflowing_port_drops_and_is_counted a_signal_ends_every_rank \
  what_the_caller_ignores_is_left_to_it a_lack_of_files_is_an_error \
  a_preload_of_the_callers_own_stays a_killed_run_leaves_no_rank \
  a_run_ends_with_its_time_or_its_programs_code the_inside_is_a_lab_too two_labs_do_not_collide \
  a_killed_lab_is_cleared an_up_that_is_killed_leaves_no_keeper \
  an_up_that_is_interrupted_leaves_nothing an_up_that_is_interrupted_at_its_end_says_what_is_up \
  a_lab_whose_folder_vanishes_ends a_folder_of_others_is_not_trusted a_runtime_folder_with_a_space_is_no_hindrance \
  a_caller_without_standard_files_gets_a_lab_as_well a_machine_without_a_hosts_file_is_refused \
  tools_that_fail_tell_why what_cannot_be_is_refused \
  a_long_up_says_how_far_it_is limits_of_the_machine_are_told; do
  echo "$test"
  $test
done
machine_network >"$work/after"
cmp -s "$work/before" "$work/after" || fault "the machine's own network has changed"
exit $((faults > 0))
