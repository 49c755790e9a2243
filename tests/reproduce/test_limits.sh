#!/bin/sh
# A sample of the papers' figures is in its limits. The papers are in three parts, of which the first two take equally long
# and can run side by side; the third has the simulator's speed, and nothing may run beside it.
# usage: test_limits.sh TOOL odd|even|speed
set -eu
tool=$1 part=$2
fast=jiang2013
papers=$("$tool" reproduce --list | sed 's/\/.*//' | uniq)
echo "$papers" | grep -qx "$fast" || { echo "there is no paper $fast"; exit 1; }
case $part in
odd) papers=$(echo "$papers" | grep -vx "$fast" | awk 'NR % 2 == 1') ;;
even) papers=$(echo "$papers" | grep -vx "$fast" | awk 'NR % 2 == 0') ;;
speed) papers=$fast ;;
esac
exec "$tool" reproduce $papers --quick --check
