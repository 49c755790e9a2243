#!/bin/sh
# A job for which no cluster is given: 12 of the 16 nodes of a Slurm of this user's own, which knows their switches.
# By MPICH: Slurm's PMIx takes nodes that are one machine for one node.
# usage: test_job_cluster.sh TOURNEY MPICH_PROGRAM YIELD     (PROGRAM: mpi/entry_points.c)
set -eu
tool=$(realpath "$1") program=$(realpath "$2") yield=$(realpath "$3")
. "$(dirname "$0")/tool_support"
. "$(dirname "$0")/slurm_support"
cat >topology.conf <<'END'
SwitchName=leaf0 Nodes=node[00-03]
SwitchName=leaf1 Nodes=node[04-07]
SwitchName=leaf2 Nodes=node[08-11]
SwitchName=leaf3 Nodes=node[12-15]
SwitchName=spine Switches=leaf[0-3]
END
slurm_starts "TopologyPlugin=topology/tree
NodeName=node[00-15] NodeHostname=HOST NodeAddr=127.0.0.1 Port=PORTS CPUs=4 State=UNKNOWN" \
  $(seq -f node%02g 0 15)
srun --mpi=list 2>&1 | grep -q pmi2 || { echo "skipped: no pmi2 (package slurm-wlm-basic-plugins)"; exit 77; }
export UCX_TLS=tcp,self LD_PRELOAD="$yield"

# in_job COMMAND...: in an allocation of 12 nodes
in_job() {
  timeout 60 salloc -Q -N 12 "$@"
}
job="srun --mpi=pmi2 -n 12 $program mmmmmmmmmmmm"
plans="--algorithm alltoall=shuffle,allgather=ring --no-guard --explain"
says_served() {
  says out "0 wrong"
  for served in "alltoall +2 +[0-9]+ +shuffle" "allgather +2 +[0-9]+ +ring"; do
    grep -q -E "^  $served" err || { echo "expected $served:"; cat err; faults=1; }
  done
  ! grep "warning" err || faults=1
}

echo "within an allocation: its part of the network"
in_job "$tool" run --link 1Gbit/s $plans -- $job >out 2>err || { cat err; faults=1; }
says_served
says err "tourney: cluster 'slurm', 12 of its 12 hosts, from Slurm (scontrol show topology), hosts' links 1Gbit/s (--link)"

echo "srun alone, whose hosts are known when it has begun"
TOURNEY_LINK=1Gbit/s timeout 60 "$tool" run $plans -- srun -N 12 -w 'node[02-13]' ${job#srun} >out 2>err || { cat err; faults=1; }
says_served
says err "tourney: cluster 'slurm', 12 of its 16 hosts, from Slurm (scontrol show topology), hosts' links 1Gbit/s (TOURNEY_LINK)"

echo "a rate that isn't understood: native, with one line"
TOURNEY_LINK=fast in_job "$tool" run $plans -- $job >out 2>err || { cat err; faults=1; }
says out "0 wrong"
says err "Slurm's can't be used: TOURNEY_LINK: "
[ "$(grep -c "^tourney: warning" err)" -eq 1 ] || { echo "not one line"; cat err; faults=1; }

echo "the site's file goes before"
mkdir site
echo 'graph { edge [bandwidth="1Gbit/s"]; s -- "node[00-15]"; "node[00-15]" [alias="n[00-15].cluster.example"] }' >site/cluster.dot
TOURNEY_SITE=$folder/site in_job "$tool" run $plans -- $job >out 2>err || { cat err; faults=1; }
says_served
says err "12 of its 16 hosts, from the site's file $folder/site/cluster.dot"
exit $faults
