#!/bin/sh
# What long collectives take beside the program's buffers, under the runtime: by whole blocks it would be 72 MiB and more.
# usage: test_runtime_memory.sh PROGRAM LIBRARY
set -eu
program=$1
library=$2
. "$(dirname "$0")/../support/mpi_support"
unset GLIBC_TUNABLES # by which more memory would be taken at once

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
planned 3 reducescatter=ring reducescatter plain 48
planned 3 reducescatter=ring reducescatter in-place 48
planned 3 allreduce=ring allreduce in-place 48
# Communicators of the same ranks share it.
planned 3 allgather=combining allgather strided 48 12
