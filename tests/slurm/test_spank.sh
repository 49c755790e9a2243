#!/bin/bash
# srun --tourney by the plugin, with a real Slurm in a lab: slurmctld, munged, and a slurmd on each of 6 hosts, of which h0 has
# nothing of Tourney's and h5 the plugin alone. Each job has 4 nodes, with Open MPI by PMIx and MPICH by PMI-1 (--mpi=pmi2).
# usage: test_spank.sh BUILD
set -eu
build=$(realpath "$1")
tool=$build/tourney
. "$(dirname "$0")/../tool/tool_support"
PATH=$PATH:/usr/sbin:/sbin
for needed in munged slurmctld slurmd srun salloc unshare; do
  command -v $needed >/dev/null || { echo "skipped: no $needed (packages slurmctld, slurmd, slurm-client, munge)"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: Slurm's daemons want root, whose groups they drop"; exit 77; }
folder=$(mktemp -d)
export TOURNEY_LAB=test_spank_$$ TOURNEY_SITE=
unset LD_PRELOAD TOURNEY TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_EXPLAIN TOURNEY_MAP TOURNEY_LINK TOURNEY_TRUNK TOURNEY_PRELOAD
trap '"$tool" lab down >/dev/null 2>&1 || true; wait; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
"$tool" lab up switches:3+3,link=100Mbit/s >out 2>err || { echo "skipped: no lab here:"; cat err; exit 77; }

# --- Slurm ---
mkdir -m 700 keys state
mkdir run none only tourney tmp.h0 tmp.h1 tmp.h2 tmp.h3 tmp.h4 tmp.h5
cp "$build/tourney" "$build/libtourney_openmpi.so" "$build/libtourney_mpich.so" "$build/tourney_spank.so" tourney
cp "$build/tourney_spank.so" only
head -c 64 /dev/urandom >keys/munge.key
chmod 600 keys/munge.key
cat >topology.conf <<'END'
SwitchName=s0 Nodes=h[0-2]
SwitchName=s1 Nodes=h[3-5]
SwitchName=s2 Switches=s[0-1]
END
# PMIx makes a folder for a step below TmpFS, which on a real host is that host's own.
cat >slurm.conf <<END
ClusterName=tourney
SlurmctldHost=h1(10.77.0.2)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
TmpFS=$folder/tmp.%n
PlugStackConfig=$folder/plugstack.conf
TopologyPlugin=topology/tree
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
MpiDefault=none
NodeName=h[0-5] CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF="$folder/slurm.conf"
# on HOST COMMAND...
on() {
  "$tool" lab exec "$1" -- "${@:2}"
}
# site ARGUMENT...: the plugin's line in plugstack.conf
site() {
  echo "optional $folder/tourney/tourney_spank.so $*" >plugstack.conf
}
site
on h1 munged --foreground --force --key-file=keys/munge.key --socket="$folder/run/munge" --pid-file="$folder/run/munged.pid" \
  --log-file="$folder/munged.log" --seed-file="$folder/keys/seed" >daemons.log 2>&1 &
on h1 slurmctld -D >>daemons.log 2>&1 &
for host in h1 h2 h3 h4; do
  on $host slurmd -D -N $host >>daemons.log 2>&1 &
done
on h0 unshare -m sh -c 'mount --bind none tourney && exec slurmd -D -N h0' >>daemons.log 2>&1 &
on h5 unshare -m sh -c 'mount --bind only tourney && exec slurmd -D -N h5' >>daemons.log 2>&1 &
tries=0
until on h1 timeout 10 srun -N 6 -n 6 true 2>/dev/null; do
  tries=$((tries + 1))
  if [ $tries -ge 20 ]; then
    tail -n 20 daemons.log
    echo "skipped: Slurm's daemons don't start here"
    exit 77
  fi
  sleep 0.5
done

# --- jobs ---
# A program of each MPI, how srun starts it, and what it needs in a lab.
programs=("$build/mpi_entry_points" "$build/mpi_entry_points_mpich")
ways=(--mpi=pmix --mpi=pmi2)
settings=("OMPI_MCA_mpi_yield_when_idle=1" "LD_PRELOAD=$build/libtourney_yield.so UCX_TLS=tcp,self UCX_NET_DEVICES=eth0")
plans="explain no-guard algorithm=alltoall=shuffle,allgather=ring link=100Mbit/s"

# job NODES OPTION... PROGRAM...: four ranks, for as long as they need if none hangs
job() {
  local code=0
  on h1 env $setting timeout 60 srun -N 4 -n 4 -w "$@" >out 2>err || code=$?
  [ $code -eq 0 ] || { echo "srun -w $*: exit code $code:"; cat out err; faults=1; }
}
# in_allocation OPTION... srun...: a step of an allocation of four nodes
in_allocation() {
  on h1 env $setting timeout 60 salloc -Q -N 4 -w 'h[1-4]' "$@" >out 2>err || { echo "salloc $*:"; cat out err; faults=1; }
}
served() {
  says out "0 wrong"
  says err "tourney: cluster 'slurm', 4 of its 4 hosts, from Slurm (scontrol show topology), hosts' links 100Mbit/s (--link)"
  for row in "alltoall +2 +[0-9]+ +shuffle" "allgather +2 +[0-9]+ +ring"; do
    grep -q -E "^  $row" err || { echo "expected $row:"; cat err; faults=1; }
  done
  ! grep -i "warning\|error" err || faults=1
}
silent() {
  [ ! -s err ] || { echo "expected nothing:"; cat err; faults=1; }
}
# warned TEXT: by one line; beside it there may only be the table that was asked for
warned() {
  says err "$1"
  [ "$(grep -c -v "^  \|^tourney: cluster\|^tourney: collective" err)" -eq 1 ] || { echo "not one line:"; cat err; faults=1; }
  ! grep -E "^  [a-z]+ +[0-9]+ +[0-9]+ +(shuffle|ring|switch|binomial)" err || { echo "served:"; cat err; faults=1; }
}

echo "the help has the options"
on h1 srun --help >out
says out "--tourney=OPTIONS"
says out "--no-tourney"

for mpi in 0 1; do
  program=${programs[mpi]} way=${ways[mpi]} setting=${settings[mpi]}
  on h1 srun --mpi=list 2>&1 | grep -q "${way#--mpi=}" || { echo "skipped: no $way (package slurm-wlm-basic-plugins)"; exit 77; }
  site
  echo "$way: asked for"
  job 'h[1-4]' $way --tourney="$plans" "$program" mmmm
  served
  echo "$way: not asked for"
  export TOURNEY_EXPLAIN=1
  job 'h[1-4]' $way "$program" mmmm
  says out "0 wrong"
  silent
  unset TOURNEY_EXPLAIN

  echo "$way: a node without anything of Tourney's, on which rank 0 is"
  job 'h[0-3]' $way --tourney="$plans" "$program" mmmm
  says out "0 wrong"
  warned "tourney: warning: rank 0 has no runtime"
  echo "$way: a node without the runtime"
  job 'h[2-5]' $way --tourney="$plans" "$program" mmmm
  says out "0 wrong"
  warned "tourney: warning: rank 3 has no runtime"

  echo "$way: the site's default"
  site default=on $plans
  job 'h[1-4]' $way "$program" mmmm
  served
  job 'h[1-4]' $way --no-tourney "$program" mmmm
  says out "0 wrong"
  silent
  echo "$way: tourney run before srun goes before the site's default"
  on h1 env $setting timeout 60 "$tool" run --link 100Mbit/s --algorithm alltoall=shift --no-guard --explain -- \
    srun -N 4 -n 4 -w 'h[1-4]' $way "$program" mmmm >out 2>err || { cat err; faults=1; }
  { grep -q -E "^  alltoall +2 +[0-9]+ +shift" err && [ "$(grep -c "^tourney: cluster" err)" -eq 1 ]; } ||
    { echo "not as tourney run had it:"; cat err; faults=1; }
done

program=${programs[0]} setting=${settings[0]}
echo "no variables of the user's: the plugin's are there"
site
job 'h[1-4]' --mpi=pmix --export=NONE --tourney="$plans" "$program" mmmm
served
echo "an allocation's choice is its steps'"
in_allocation --tourney="$plans" srun --mpi=pmix -n 4 "$program" mmmm
served
site default=on explain
in_allocation --no-tourney srun --mpi=pmix -n 4 "$program" mmmm
silent
echo "a step's choice goes before its allocation's"
in_allocation --no-tourney srun --mpi=pmix -n 4 --tourney="$plans" "$program" mmmm
served

# mpirun starts its daemons by srun, and ranks where it is itself without.
echo "by the site's default, mpirun in an allocation stays as it is"
export TOURNEY_EXPLAIN=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
in_allocation -n 4 mpirun -n 4 "$program" mmmm
says out "0 wrong"
silent
unset TOURNEY_EXPLAIN

echo "what the tasks get"
cat >show <<END
#!/bin/sh
env >"env.\$SLURM_PROCID"
exec "$program" mmmm
END
chmod +x show
site
setting="$setting LD_PRELOAD=$build/libtourney_yield.so"
job 'h[1-4]' --mpi=pmix --tourney=no-guard ./show
{ grep -q "^LD_PRELOAD=$folder/tourney/libtourney_openmpi.so:$build/libtourney_yield.so\$" env.3 &&
  grep -q "^TOURNEY_GUARD=0\$" env.3 && ! grep "^SLURM_TOURNEY_" env.3; } || { cat env.3; faults=1; }
job 'h[1-4]' --mpi=pmix ./show
{ grep -q "^LD_PRELOAD=$build/libtourney_yield.so\$" env.3 && ! grep "TOURNEY_PRELOAD\|TOURNEY_GUARD" env.3; } ||
  { cat env.3; faults=1; }
setting=${settings[0]}

echo "no MPI: one line where it was asked for, none by the site's default"
job 'h[1-4]' --tourney hostname
warned "tourney run: no MPI is to be seen in 'hostname' here; all collectives are native"
job 'h[1-4]' --tourney mpirun --version
warned "starts ranks by itself, and all their collectives are native: put 'tourney run --' before it"
site default=on
job 'h[1-4]' hostname
silent

echo "what can't be done: one line, native"
site
job 'h[1-4]' --mpi=pmix --tourney=nonsense "$program" mmmm
says out "0 wrong"
warned "tourney: warning: $folder/tourney/tourney: tourney run: unknown option --nonsense; all collectives are native"
site default=maybe
job 'h[1-4]' --mpi=pmix "$program" mmmm
says out "0 wrong"
warned "tourney: warning: plugstack.conf: 'default=maybe' is neither default=on nor default=off; all collectives are native"
site tool=/nowhere/tourney
job 'h[1-4]' --mpi=pmix --tourney "$program" mmmm
says out "0 wrong"
warned "tourney: warning: /nowhere/tourney: it can't be started: No such file or directory; all collectives are native"
exit $faults
