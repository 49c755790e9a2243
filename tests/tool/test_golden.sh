#!/bin/sh
# One golden test: runs golden/NAME.cmd, a line of shell with the tool as `tourney`, and compares its
# output, its errors and its exit code with golden/NAME.out, .err and .exit (a missing .err means
# none, a missing .exit means 0). TOURNEY_REGENERATE=1 writes them instead; look at the difference then.
# usage: test_golden.sh NAME BUILD
set -eu
cd "$(dirname "$0")/../golden"
name=$1
PATH=$2:$PATH

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
code=0
sh "./$name.cmd" >"$scratch/out" 2>"$scratch/err" </dev/null || code=$?

if [ -n "${TOURNEY_REGENERATE:-}" ]; then
  cp "$scratch/out" "$name.out"
  rm -f "$name.err" "$name.exit"
  [ ! -s "$scratch/err" ] || cp "$scratch/err" "$name.err"
  [ "$code" -eq 0 ] || echo "$code" >"$name.exit"
  exit 0
fi

[ -f "$name.err" ] || : >"$scratch/no.err"
wanted_err=$name.err
[ -f "$wanted_err" ] || wanted_err=$scratch/no.err
wanted_code=0
[ ! -f "$name.exit" ] || read -r wanted_code <"$name.exit"

faults=0
diff -u "$name.out" "$scratch/out" || faults=1
diff -u "$wanted_err" "$scratch/err" || faults=1
[ "$code" -eq "$wanted_code" ] || { echo "exit code $code, expected $wanted_code"; faults=1; }
exit $faults
