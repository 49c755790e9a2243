#!/bin/sh
# The other MPI's runtime, preloaded by hand or linked, and a runtime that is linked behind the MPI: the program ends well,
# as without it, and one line says why nothing is planned.
# usage: test_other_mpi.sh OPENMPI_PROGRAM MPICH_PROGRAM OPENMPI_RUNTIME MPICH_RUNTIME     (PROGRAM: mpi/entry_points.c)
set -eu
openmpi=$1 mpich=$2 for_openmpi=$3 for_mpich=$4
. "$(dirname "$0")/../support/mpi_support"
if ! command -v mpiexec.mpich >/dev/null; then
  echo "skipped: no mpiexec.mpich (package mpich)"
  exit 77
fi
export TOURNEY_CLUSTER=single:4 TOURNEY_MAP=block
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
output=$folder/output

# says TEXT COMMAND...: the command ends well, and says one thing of the runtime.
says() {
  text=$1
  shift
  echo "$*"
  if ! timeout 100 "$@" >"$output" 2>&1 || ! grep -q "^0 wrong" "$output" ||
    [ "$(grep -c "^tourney" "$output")" -ne 1 ] || ! grep -q "^tourney: warning: .*$text" "$output"; then
    echo "expected '0 wrong' and one line with '$text':"
    cat "$output"
    exit 1
  fi
}

says "for MPICH, and the program uses Open MPI" mpirun -np 4 -x LD_PRELOAD="$for_mpich" "$openmpi" mmmm
says "for MPICH, and the program uses Open MPI" mpirun -np 4 -x LD_PRELOAD="$for_mpich:$for_openmpi" "$openmpi" mmmm
says "for Open MPI, and the program uses MPICH" mpiexec.mpich -n 4 -env LD_PRELOAD "$for_openmpi" "$mpich" mmmm

# Linked: behind the MPI, and the other MPI's. (No wrapper: it would put its MPI last.)
folder_of=$(dirname "$0")
for order in "-lmpi $for_openmpi:is loaded before the runtime" "$for_mpich -lmpi:for MPICH, and the program uses Open MPI"; do
  # shellcheck disable=SC2046,SC2086 # several words
  gcc $(mpicc --showme:compile) "$folder_of/entry_points.c" "$folder_of/entry_points_exchange.c" -Wl,--no-as-needed \
    $(mpicc --showme:link | tr ' ' '\n' | grep '^-[LW]') ${order%%:*} \
    -Wl,-rpath,"$(dirname "$for_openmpi")" -o "$folder/linked"
  says "${order#*:}" mpirun -np 4 "$folder/linked" mmmm
done

# A program that loads its MPI itself.
if /usr/bin/python3 -c 'import mpi4py' 2>/dev/null; then
  printf '%s\n' 'from mpi4py import MPI' 'every = MPI.COMM_WORLD.allgather(MPI.COMM_WORLD.rank)' \
    'assert every == [0, 1, 2], every' 'print("0 wrong" if MPI.COMM_WORLD.rank == 0 else "")' >"$folder/gather.py"
  library=$(ldd "$(/usr/bin/python3 -c 'import importlib.util as u; print(u.find_spec("mpi4py.MPI").origin)')")
  case $library in
  *libmpich.so*) says "for Open MPI, and the program has loaded MPICH" mpiexec.mpich -n 3 -env LD_PRELOAD "$for_openmpi" \
    /usr/bin/python3 "$folder/gather.py" ;;
  *) says "for MPICH, and the program has loaded Open MPI" mpirun -np 3 -x LD_PRELOAD="$for_mpich" \
    /usr/bin/python3 "$folder/gather.py" ;;
  esac
else
  echo "not tried: a program that loads its MPI itself (package python3-mpi4py)"
fi
