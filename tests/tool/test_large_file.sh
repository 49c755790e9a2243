#!/bin/sh
# A schedule's file is as long as the memory has room for: an all-gather of 160 ranks is over 64 MiB as
# GOAL, is proved in memory in proportion, and is refused where there's too little of it.
# usage: test_large_file.sh TOURNEY
set -eu
tool=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
cd "$folder"

fail() {
  echo "$*"
  exit 1
}

"$tool" plan single:160 allgather --algorithm ring --bytes 64KiB --chunks 16 --output plan.txt >plan.out
"$tool" convert plan.txt --to goal --output plan.goal
bytes=$(wc -c <plan.goal)
[ "$bytes" -gt 67108864 ] || fail "$bytes bytes of GOAL are no large file"
"$tool" verify plan.goal >proof.txt || fail "$bytes bytes of GOAL aren't proved"
grep -q 'every rank ends with the right blocks' proof.txt || fail "the proof says: $(cat proof.txt)"

# The limit is derived: four times the file is enough, less than three times isn't tried. What a
# sanitizer reserves is beyond any limit.
code=0
(ulimit -v $((bytes * 3 / 1024)) && exec "$tool" verify plan.goal) >/dev/null 2>error.txt || code=$?
if grep -qi 'sanitizer\|shadow memory' error.txt; then
  echo "skipped: a sanitizer needs more address space than the limit leaves"
  exit 77
fi
[ "$code" -eq 2 ] || fail "with too little memory the exit code is $code"
grep -q 'a quarter of the memory' error.txt || fail "with too little memory: $(cat error.txt)"
(ulimit -v $((bytes * 9 / 2 / 1024)) && exec "$tool" verify plan.goal) >/dev/null ||
  fail "four and a half times the file isn't enough memory"

# What has no end isn't read to the limit where it's no text.
timeout 5 "$tool" verify /dev/zero 2>error.txt && fail "/dev/zero is a schedule"
grep -q 'NUL byte' error.txt || fail "/dev/zero: $(cat error.txt)"
