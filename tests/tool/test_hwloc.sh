#!/bin/sh
# What the real lstopo writes of hosts that write_hwloc.py makes up, and of this machine, is imported: the same as of the files that are
# kept in tests/clusters/hwloc. Skips without lstopo.
# usage: test_hwloc.sh SOURCE BUILD
set -eu
source=$1
PATH=$2:$PATH
for tool in lstopo-no-graphics python3; do
  command -v $tool >/dev/null || { echo "no $tool: skipped"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 "$source/tests/import/write_hwloc.py" "$folder/good"
(cd "$source/tests/clusters/hwloc/good" && tourney topology import *.xml --link 100Gbit/s 2>"$folder/said") >"$folder/kept.dot"
(cd "$folder/good" && tourney topology import *.xml --link 100Gbit/s 2>"$folder/said") >"$folder/made.dot"
grep -q 'read as hwloc: 12 hosts, 1 switch, 12 cables' "$folder/said" || { cat "$folder/said"; exit 1; }
diff "$folder/kept.dot" "$folder/made.dot"

# This machine, of which a name is all that is certain.
lstopo-no-graphics --of xml "$folder/this.xml"
tourney topology import "$folder/this.xml" --link 1Gbit/s >"$folder/this.dot" 2>"$folder/said" || { cat "$folder/said"; exit 1; }
tourney topology flat "$folder/this.dot" | grep -q "^host $(uname -n)\$" || { cat "$folder/this.dot"; exit 1; }
