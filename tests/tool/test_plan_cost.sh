#!/bin/bash
# Planning and proving where many links are limited takes seconds of CPU time and little memory: it may
# take about four times the CPU time that it took when this was written.
# usage: test_plan_cost.sh TOOL
set -u
tool=$(realpath "$1")
memory_kib=$((200 * 1024))
failed=0

# plan CPU_SECONDS SWITCHES BYTES: an all-to-all on a line of switches with four hosts each.
plan() {
  local cluster=switches:4 i
  for ((i = 1; i < $2; i++)); do cluster+=+4; done
  if ! (ulimit -t "$1" -v $memory_kib && exec "$tool" plan "$cluster" alltoall --bytes "$3") \
    >/dev/null 2>&1; then
    echo "FAIL: $2 switches, $3: more than $1 s of CPU time or $memory_kib KiB"
    failed=1
  fi
}

plan 4 15 16KiB
plan 4 15 64KiB
plan 4 15 1MiB
plan 8 30 4KiB
plan 8 30 64KiB
plan 8 30 1MiB
exit $failed
