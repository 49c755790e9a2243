#!/bin/bash
# A job for which no cluster is given, in a lab of 16 hosts whose names have a domain: planned on 12 of them by what a
# pretended scontrol says of their switches, by their names without it; by the site's file; else native, and after
# tourney discover by what it found.
# usage: test_found_cluster.sh TOURNEY OPENMPI_PROGRAM     (PROGRAM: mpi/entry_points.c)
set -eu
tool=$(realpath "$1") program=$(realpath "$2")
. "$(dirname "$0")/tool_support"
folder=$(mktemp -d)
trap '"$tool" lab down >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT
cd "$folder"
unset LD_PRELOAD TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_EXPLAIN TOURNEY_MAP TOURNEY_LINK TOURNEY_TRUNK
export TOURNEY_SITE= TOURNEY_LAB=test_found_$$ XDG_CACHE_HOME=$folder/cache
cat >lab.dot <<'END'
graph {
  edge [bandwidth="100Mbit/s"]
  leaf0 -- { "node00.cluster.example" "node01.cluster.example" "node02.cluster.example" "node03.cluster.example" }
  leaf1 -- { "node04.cluster.example" "node05.cluster.example" "node06.cluster.example" "node07.cluster.example" }
  leaf2 -- { "node08.cluster.example" "node09.cluster.example" "node10.cluster.example" "node11.cluster.example" }
  leaf3 -- { "node12.cluster.example" "node13.cluster.example" "node14.cluster.example" "node15.cluster.example" }
  edge [bandwidth="400Mbit/s"]
  spine -- { leaf0 leaf1 leaf2 leaf3 }
}
END
"$tool" lab up lab.dot >out 2>err || { echo "skipped: no lab here:"; cat err; exit 77; }
mkdir bin
cat >bin/scontrol <<'END'
#!/bin/sh
cat <<'TOPOLOGY'
SwitchName=leaf0 Level=0 LinkSpeed=1 Nodes=node[00-03]
SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=node[04-07]
SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=node[08-11]
SwitchName=leaf3 Level=0 LinkSpeed=1 Nodes=node[12-15]
SwitchName=spine Level=1 LinkSpeed=1 Nodes=node[00-15] Switches=leaf[0-3]
TOPOLOGY
END
# A launcher for which the lab is a cluster like any other: ranks don't get the lab's own TOURNEY_CLUSTER.
cat >bin/launch <<END
#!/bin/sh
[ -n "\${TOURNEY_CLUSTER-}" ] || without="env -u TOURNEY_CLUSTER"
exec "$tool" lab run -n 12 -- \${without-} "\$@"
END
chmod +x bin/*
PATH=$folder/bin:$PATH
run() {
  local code=0
  timeout 100 "$tool" run --algorithm alltoall=shuffle,allgather=ring --no-guard --explain "$@" -- \
    launch "$program" mmmmmmmmmmmm >out 2>err || code=$?
  [ $code -eq 0 ] || { echo "exit code $code:"; cat out err; faults=1; }
  says out "0 wrong"
}
planned() {
  says err "$1"
  for served in "alltoall +2 +[0-9]+ +shuffle" "allgather +2 +[0-9]+ +ring"; do
    grep -q -E "^  $served" err || { echo "expected $served:"; cat err; faults=1; }
  done
  ! grep "warning" err || faults=1
}

SLURM_JOB_ID=1 SLURM_JOB_NODELIST='node[00-11]' run --link 100Mbit/s --trunk 400Mbit/s
planned "tourney: cluster 'slurm', 12 of its 12 hosts, from Slurm (scontrol show topology), hosts' links 100Mbit/s (--link), those"

run
says err "tourney: warning: no cluster is given, and none is found: let 'tourney discover' measure it"
[ "$(grep -c "^tourney: warning" err)" -eq 1 ] || { echo "not one line:"; cat err; faults=1; }

timeout 250 "$tool" discover --launcher launch -o found.dot >out 2>err || { echo "discover failed:"; cat out err; faults=1; }
says err "kept for 'tourney run' as $folder/cache/tourney/discovered.dot"
cmp found.dot cache/tourney/discovered.dot || faults=1
run
planned "12 of its 12 hosts, from what tourney discover found, $folder/cache/tourney/discovered.dot"
rm -r cache

mkdir site
cp lab.dot site/cluster.dot
TOURNEY_SITE=$folder/site run
planned "tourney: cluster '$folder/site/cluster.dot', 12 of its 16 hosts, from the site's file $folder/site/cluster.dot"

# A file whose hosts are called otherwise: named, with what to do.
echo 'graph { s -- "n[00-15]" }' >site/cluster.dot
TOURNEY_SITE=$folder/site run
says err "isn't in the cluster '$folder/site/cluster.dot', of which one is called n00: give it its name there, or the attribute alias=\"node"
echo 'graph { s -- "n[00-15]"; "n[00-15]" [alias="node[00-15]"] }' >site/cluster.dot
TOURNEY_SITE=$folder/site run
planned "12 of its 16 hosts"
exit $faults
