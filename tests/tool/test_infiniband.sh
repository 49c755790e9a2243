#!/bin/sh
# tourney topology import against the real tools: ibsim simulates the networks of tests/clusters/infiniband, opensm routes
# them, and ibnetdiscover and dump_fts print what there is. What is imported of that must be what is imported of the files,
# and the ways must be those that ibtracert finds.
# usage: test_infiniband.sh TOURNEY SOURCE
set -eu
tool=$(realpath "$1") networks=$(realpath "$2")/tests/clusters/infiniband/good
PATH=$PATH:/usr/sbin:/sbin
for needed in ibsim opensm ibnetdiscover dump_fts ibtracert; do
  command -v $needed >/dev/null || { echo "skipped: no $needed (packages ibsim-utils, infiniband-diags, opensm)"; exit 77; }
done
# The simulator stands in for all adapters; OpenSM shall not be tried where it could find real ones.
[ -z "$(ls /sys/class/infiniband 2>/dev/null)" ] || { echo "skipped: this machine has InfiniBand of its own"; exit 77; }
preload=$(find /usr/lib -name libumad2sim.so 2>/dev/null | head -n 1)
[ -n "$preload" ] || { echo "skipped: no libumad2sim.so (package ibsim-utils)"; exit 77; }
folder=$(mktemp -d)
simulator=
clean_up() {
  [ -z "$simulator" ] || kill "$simulator" 2>/dev/null || true
  rm -rf "$folder"
}
trap clean_up EXIT
cd "$folder"
export IBSIM_SOCKNAME="tourney$$" OSM_TMP_DIR="$folder" OSM_CACHE_DIR="$folder"

fail() {
  echo "$*"
  exit 1
}

# simulated COMMAND...: on the simulated network
simulated() {
  LD_PRELOAD=$preload timeout 60 "$@" 2>>errors
}

# What ibsim reads is what ibnetdiscover prints, but for the rates: widths 1, 2, 8 are 1x, 4x, 12x; speeds 1, 2, 4 are SDR,
# DDR, QDR.
to_simulator() {
  sed -e 's/ s=.*//' -e 's/ 1x\([SDQ]DR\)$/ w=1 \1/' -e 's/ 4x\([SDQ]DR\)$/ w=2 \1/' -e 's/ 12x\([SDQ]DR\)$/ w=8 \1/' \
    -e 's/ SDR$/ s=1/' -e 's/ DDR$/ s=2/' -e 's/ QDR$/ s=4/' "$1"
}

# The cables of a cluster file, whatever the order and the direction.
cables_of() {
  "$tool" topology flat "$1" | awk '$1 == "cable" { if ($2 > $3) { a = $2; $2 = $3; $3 = a } print }' | sort
}

start() {
  to_simulator "$networks/$1.topo" >net
  ibsim -s -n net >ibsim.log 2>&1 &
  simulator=$!
  tries=0
  until grep -q ready ibsim.log; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || fail "$1: ibsim doesn't begin: $(tail -n 3 ibsim.log)"
    sleep 0.1
  done
}

# The switches of a way, by both: ibtracert from LID to LID, and the table of routes from host to host.
compare_way() {
  simulated ibtracert "$2" "$4" | sed -n 's/^.*-> switch port .*"\([^"]*\)"$/\1/p' >traced
  "$tool" topology routes cluster.dot --routing routes --from "$3" --to "$5" |
    sed -n 's/^    .* -> \(.*\)/\1/p' | sed '$d' >imported
  [ -s traced ] || fail "$1: ibtracert finds no way from $3 to $5"
  cmp -s traced imported || fail "$1: from $3 to $5: $(cat imported), not $(cat traced)"
}

# The order of hosts that OpenSM wrote: that of the cluster, and its switch order, which the file for SimGrid has.
compare_order() {
  [ -s opensm-ftree-ca-order.dump ] || fail "$1: opensm wrote no order of hosts"
  "$tool" topology import opensm-ftree-ca-order.dump topo tables --output cluster.dot --routes routes 2>said || fail "$1: $(cat said)"
  awk '$2 != "DUMMY" { print $2 }' opensm-ftree-ca-order.dump >order
  "$tool" topology flat cluster.dot | awk '$1 == "host" { print $2 }' >hosts
  "$tool" topology simgrid cluster.dot | sed -n 's/^.*<host id="\([^"]*\)".*$/\1/p' >ranks
  for listed in hosts ranks; do
    cmp -s order "$listed" || fail "$1: $listed: $(diff order "$listed")"
  done
}

# compare NETWORK ENGINE [WAY...]: a way is LID HOST LID HOST, of which ibtracert is asked
compare() {
  network=$1 engine=$2
  start "$network"
  rm -f opensm-ftree-ca-order.dump
  simulated opensm -o -R "$engine" -f "$folder/log" >osm.out || fail "$network: opensm: $(tail -n 3 osm.out)"
  simulated ibnetdiscover >topo || fail "$network: ibnetdiscover: $(tail -n 3 errors)"
  simulated dump_fts >tables || fail "$network: dump_fts: $(tail -n 3 errors)"
  "$tool" topology import topo tables --output cluster.dot --routes routes 2>said || fail "$network: $(cat said)"
  "$tool" topology import "$networks/$network.topo" --output stored.dot 2>said || fail "$network: $(cat said)"
  cables_of cluster.dot >cables
  cables_of stored.dot >stored
  [ -s cables ] || fail "$network: no cables"
  cmp -s cables stored || fail "$network: $(diff stored cables)"
  "$tool" topology routes cluster.dot --routing routes >said || fail "$network: the table of routes isn't read"
  hosts=$(sed -n 's/^\[[0-9]*\]([0-9a-f]*).*# lid \([0-9]*\) .*/\1/p' topo | head -n 4)
  first=
  for lid in $hosts; do
    name=$(awk -v lid="$lid" '/^Ca/ { split($0, parts, "\""); split(parts[4], words, " ") }
      index($0, "# lid " lid " ") { print words[1]; exit }' topo)
    if [ -n "$first" ] && [ $# -lt 3 ]; then
      compare_way "$network" "$first" "$first_name" "$lid" "$name"
    fi
    [ -n "$first" ] || first=$lid first_name=$name
  done
  [ "$engine" != ftree ] || compare_order "$network"
  kill "$simulator"
  wait "$simulator" 2>/dev/null || true
  simulator=
}

compare one_switch minhop
compare parallel_cables minhop
compare fat_tree ftree
compare three_levels ftree
compare three_levels updn
compare ring updn
compare torus dor
compare rates minhop
compare lmc minhop
compare uneven_tree minhop
# Of hosts with several cables, and switches called by GUID, other names are in the way.
compare rails minhop no-trace
compare two_ports updn no-trace
compare names updn no-trace
compare aggregation minhop no-trace
