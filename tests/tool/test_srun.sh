#!/bin/sh
# tourney run with Slurm's srun: Open MPI's programs by PMIx, MPICH's by PMI-1 (--mpi=pmi2). A Slurm of one node, of this
# user's own, is started for it.
# usage: test_srun.sh TOURNEY OPENMPI_PROGRAM MPICH_PROGRAM YIELD     (PROGRAM: mpi/entry_points.c)
set -eu
tool=$(realpath "$1") openmpi=$(realpath "$2") mpich=$(realpath "$3") yield=$(realpath "$4")
. "$(dirname "$0")/tool_support"
PATH=$PATH:/usr/sbin:/sbin
for needed in munged slurmctld slurmd srun; do
  command -v $needed >/dev/null || { echo "skipped: no $needed (packages slurm-wlm, munge)"; exit 77; }
done
folder=$(mktemp -d)
daemons=
clean_up() {
  for daemon in $daemons; do
    kill "$daemon" 2>/dev/null || true
  done
  wait
  rm -rf "$folder"
}
trap clean_up EXIT
cd "$folder"
unset LD_PRELOAD TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_MARK

chmod 755 .
mkdir -m 700 keys state
mkdir -m 755 run
head -c 64 /dev/urandom >keys/munge.key
chmod 600 keys/munge.key
user=$(id -un) host=$(hostname -s) port=$((20000 + $$ % 10000 * 2))
cat >slurm.conf <<END
ClusterName=tourney
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.pid
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF="$folder/slurm.conf"
munged --foreground --force --key-file=keys/munge.key --socket="$folder/run/munge" --pid-file="$folder/run/munged.pid" \
  --log-file="$folder/munged.log" --seed-file="$folder/keys/seed" >daemons.log 2>&1 &
daemons=$!
slurmctld -D >>daemons.log 2>&1 &
daemons="$! $daemons"
slurmd -D -N "$host" >>daemons.log 2>&1 &
daemons="$! $daemons"
tries=0
until timeout 10 srun -n 1 true 2>/dev/null; do
  tries=$((tries + 1))
  if [ $tries -ge 20 ]; then
    tail -n 5 daemons.log
    echo "skipped: Slurm's daemons don't start here"
    exit 77
  fi
  sleep 0.5
done

# Starts a rank 2 that has no runtime; what its MPI itself needs to end stays preloaded.
cat >without <<'END'
#!/bin/sh
[ "$SLURM_PROCID" != 2 ] || export LD_PRELOAD="$MPI_PRELOAD"
exec "$@"
END
chmod +x without
export TOURNEY_MAP=block MPI_PRELOAD= OMPI_MCA_mpi_yield_when_idle=1 UCX_TLS=tcp,self
run() {
  echo "$*"
  expect 0 run --cluster single:4 --algorithm bcast=binomial,allgather=ring,alltoall=shift --explain -- "$@"
  says out "0 wrong"
}
for mpi in pmix pmi2; do
  program=$openmpi
  [ $mpi = pmix ] || program=$mpich
  if ! srun --mpi=list 2>&1 | grep -q $mpi; then
    echo "not tried: --mpi=$mpi, which this Slurm hasn't (package slurm-wlm-basic-plugins)"
    continue
  fi
  [ $mpi = pmix ] || export LD_PRELOAD="$yield" MPI_PRELOAD="$yield"
  run timeout 60 srun --mpi=$mpi -n 4 "$program" mmmm
  for served in "bcast +2 +72008 +binomial" "allgather +2 +72008 +ring" "alltoall +2 +72008 +shift"; do
    grep -q -E "^  $served " err || { echo "expected $served:"; cat err; faults=1; }
  done
  ! grep "warning\|tourney run:" err || faults=1
  run timeout 60 srun --mpi=$mpi -n 4 ./without "$program" mmmm
  says err "tourney: warning: rank 2 has no runtime"
  [ "$(grep -c "tourney: warning\|tourney run:" err)" -eq 1 ] || { echo "not one warning"; cat err; faults=1; }
  run timeout 60 srun --mpi=$mpi --export="LD_PRELOAD=${LD_PRELOAD-},UCX_TLS,OMPI_MCA_mpi_yield_when_idle,PATH" -n 4 "$program" mmmm
  says err "tourney run: no rank reported that it has the runtime"
  unset LD_PRELOAD
done
exit $faults
