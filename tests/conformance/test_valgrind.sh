#!/bin/bash
# Some combinations of the conformance suite under valgrind: it must find nothing in them.
# usage: test_valgrind.sh PROGRAM LIBRARY TOOL CHOOSE COUNT [SETTING...]     (as of test_suite.sh)
set -u
here=$(dirname "$(realpath "$0")")
openmpi=/usr/share/openmpi/openmpi-valgrind.supp
if ! command -v valgrind >/dev/null || [ ! -f "$openmpi" ]; then
  echo "skipped: no valgrind (packages valgrind, openmpi-common)"
  exit 77
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export UNDER="valgrind -q --num-callers=20 --suppressions=$openmpi --suppressions=$here/valgrind.supp --log-file=$logs/%p"
count=$5
"$here/test_suite.sh" openmpi c "$1" "$2" "$3" "$4" sample "$count" "${@:6}" || exit 1
ls "$logs"/* >/dev/null 2>&1 || { echo "valgrind has written nothing"; exit 1; }
cat "$logs"/*
[ "$(cat "$logs"/* | wc -c)" -eq 0 ]
