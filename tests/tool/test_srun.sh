#!/bin/sh
# tourney run with Slurm's srun: Open MPI's programs by PMIx, MPICH's by PMI-1 (--mpi=pmi2). A Slurm of one node, of this
# user's own, is started for it.
# usage: test_srun.sh TOURNEY OPENMPI_PROGRAM MPICH_PROGRAM YIELD     (PROGRAM: mpi/entry_points.c)
set -eu
tool=$(realpath "$1") openmpi=$(realpath "$2") mpich=$(realpath "$3") yield=$(realpath "$4")
. "$(dirname "$0")/tool_support"
. "$(dirname "$0")/slurm_support"
slurm_starts "NodeName=HOST NodeAddr=127.0.0.1 Port=PORTS CPUs=8 State=UNKNOWN" "$(hostname -s)"

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
