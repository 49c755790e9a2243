#!/bin/sh
# Ways of MPICH's that the runtime goes by (src/mpi/mpich/forced_comm.c): it reads its variables of algorithms at every call,
# not as a communicator is made. An MPICH that does otherwise fails here, and could be told more.
# usage: test_mpich_ways.sh PROGRAM     (PROGRAM: mpi/variables.c)
set -eu
if ! command -v mpiexec.mpich >/dev/null; then
  echo "skipped: no mpiexec.mpich (package mpich)"
  exit 77
fi
says=$(MPIR_CVAR_COLLECTIVE_FALLBACK=error LD_PRELOAD="${TOURNEY_YIELD:-}" timeout 60 mpiexec.mpich -n 3 "$1" 2>&1)
echo "$says"
[ "$says" = "set before a call: 3 errors; set as a communicator was made: 0 errors" ]
