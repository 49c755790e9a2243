#!/bin/sh
# What long collectives take beside the program's buffers, under the runtime: by whole blocks it would be 72 MiB and more.
# usage: test_runtime_memory.sh PROGRAM LIBRARY
set -eu
program=$1
library=$2
if ! command -v mpirun >/dev/null; then
  echo "skipped: no mpirun (package openmpi-bin)"
  exit 77
fi
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
export OMPI_MCA_mpi_yield_when_idle OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy

# planned RANKS ALGORITHM ARGUMENTS...
planned() {
  ranks=$1 algorithm=$2
  shift 2
  timeout 200 mpirun -np "$ranks" -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER="single:$ranks" -x TOURNEY_MAP=block \
    -x TOURNEY_ALGORITHM="$algorithm" "$program" "$@"
}

# The most: 32 MiB of scratch space, or of what is staged, and what MPI takes for messages.
planned 3 allgather=combining allgather plain 48
planned 3 allgather=combining allgather in-place 48
planned 3 allgather=combining allgather strided 48
planned 4 alltoall=bruck:2 alltoall plain 48
planned 3 alltoall=shuffle alltoall in-place 48
planned 3 alltoall=shuffle alltoall strided 48
# Communicators of the same ranks share it.
planned 3 allgather=combining allgather strided 48 12
