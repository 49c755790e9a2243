#!/bin/sh
# tourney reproduce: the files that it writes, and how it ends.
# usage: test_reproduce.sh TOOL
set -eu
tool=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
fault() {
  echo "$*"
  faults=$((faults + 1))
}

"$tool" reproduce jacunski1999/table-1 --quick --check --csv >"$scratch/table.csv" ||
  fault "table 1 is out of its limits"
[ "$(head -n 1 "$scratch/table.csv" | tr ',' '\n' | wc -l)" -eq 14 ] || fault "CSV hasn't 14 columns"
"$tool" reproduce jacunski1999/table-1 --json >"$scratch/table.json"
grep -q '"verdict": "in"' "$scratch/table.json" || fault "JSON has no verdicts"

mkdir "$scratch/none"
code=0
PATH=$scratch/none "$tool" reproduce jacunski1999/figure-6a --output "$scratch/docs" \
  >"$scratch/out" 2>"$scratch/err" || code=$?
[ "$code" -eq 3 ] || fault "without gnuplot it ends with $code"
grep -q 'install the package gnuplot-nox' "$scratch/err" || fault "it doesn't name gnuplot's package"
[ ! -e "$scratch/docs" ] || fault "without gnuplot it begins to write"

"$tool" reproduce jacunski1999/table-3 >"$scratch/out" 2>"$scratch/err" &
child=$!
sleep 1
kill -TERM "$child" || fault "it was over before it could be interrupted"
code=0
wait "$child" || code=$?
[ "$code" -eq 130 ] || fault "interrupted, it ends with $code"

if command -v gnuplot >/dev/null; then
  "$tool" reproduce jacunski1999/figure-6a --output "$scratch/docs" >/dev/null
  base=$scratch/docs/reproduction/jacunski1999-figure-6a
  for file in "$scratch/docs/reproduction.md" "$base.csv" "$base.svg"; do
    [ -s "$file" ] || fault "${file#"$scratch"/} isn't there"
  done
  grep -q '</svg>' "$base.svg" || fault "the chart isn't whole"
  [ "$(ls "$scratch/docs/reproduction" | wc -l)" -eq 2 ] || fault "there are other files"
fi
[ "$faults" -eq 0 ]
