#!/bin/bash
# Some combinations of the conformance suite under valgrind: it must find nothing in them.
# usage: test_valgrind.sh MPI PROGRAM LIBRARY TOOL CHOOSE COUNT [SETTING...]     (as of test_suite.sh)
set -u
here=$(dirname "$(realpath "$0")")
mpi=$1 count=$6
openmpi=/usr/share/openmpi/openmpi-valgrind.supp
if ! command -v valgrind >/dev/null || { [ "$mpi" = openmpi ] && [ ! -f "$openmpi" ]; }; then
  echo "skipped: no valgrind (packages valgrind, openmpi-common)"
  exit 77
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
UNDER="valgrind -q --num-callers=20 --log-file=$logs/%p"
if [ "$mpi" = openmpi ]; then
  UNDER="$UNDER --suppressions=$openmpi --suppressions=$here/valgrind.supp"
else
  # Valgrind has no huge pages for shared memory, and says so whenever UCX asks for them.
  export UCX_SYSV_HUGETLB_MODE=n
  # Its 13 ranks take over a minute for a long native reduce-scatter, as they wait by spinning and each has valgrind's pace.
  export CONFORMANCE_HANG=${CONFORMANCE_HANG:-600}
fi
export UNDER
"$here/test_suite.sh" "$mpi" c "$2" "$3" "$4" "$5" sample "$count" "${@:7}" || exit 1
ls "$logs"/* >/dev/null 2>&1 || { echo "valgrind has written nothing"; exit 1; }
cat "$logs"/*
[ "$(cat "$logs"/* | wc -c)" -eq 0 ]
