#!/bin/sh
# The runtime itself inside SimGrid's SMPI, more ranks than this machine has cores for: its sources compiled by
# smpicc and linked into a program, the network a platform that `tourney topology simgrid` writes. Every byte is
# checked. Times are simulated, so that they are the same on every machine; of SMPI's own collectives, by two of its
# selectors, and of ours. SimGrid's links lose nothing and are shared ideally, so native may be faster there.
# usage: test_smpi.sh SOURCES LIBRARY TOOL CLUSTER RANKS plans|guard JOB...
#   LIBRARY: libtourney_plain.a; JOB: COLLECTIVE:BYTES, the sizes
#   plans: the runtime is told which algorithms to use; fails where one takes RATIO_MAX times native's time
#   guard: it chooses for itself; fails where it isn't within 5 % of the better of SMPI's own and the plans
set -eu
sources=$1 library=$2 tool=$3 cluster=$4 ranks=$5 what=$6
shift 6
RATIO_MAX=6    # more would be news: 5.0 was seen, an all-to-all of 8 KiB cut in pieces of 1 KiB
GUARD_CALLS=40 # after so many calls the guard has settled
GUARD_MAX=1.05
for program in smpicc smpirun; do
  if ! command -v $program >/dev/null; then
    echo "skipped: no $program (package libsimgrid-dev)"
    exit 77
  fi
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
here=$(cd "$(dirname "$0")" && pwd)

# --- build: what calls MPI is SMPI's; our PMPI_* stay ours (-Bsymbolic), since SMPI loads the program with dlopen ---
find "$sources/src/mpi" -name '*.c' ! -path '*/mpi/mpich/*' ! -path '*/entry/large/*' ! -path '*/openmpi/presence.c' >"$folder/list"
echo "$here/presence.c" >>"$folder/list"
mkdir "$folder/objects"
while read -r file; do
  echo "$file $folder/objects/$(echo "$file" | tr -c 'A-Za-z0-9\n' _).o"
done <"$folder/list" | xargs -P 2 -L 1 sh -c 'exec smpicc -std=c17 -D_GNU_SOURCE -O2 -fPIC -fvisibility=hidden \
  -DTOURNEY_VERSION_TEXT=\"simulated\" -include "$0/src/core/banned.h" -I"$0/include" -I"$0/src" \
  -c "$1" -o "$2"' "$sources"
smpicc -std=c17 -O2 -fPIC -Wall -Wextra -I"$sources/include" -c "$here/simulated.c" -o "$folder/objects/program.o"
smpicc -o "$folder/simulated" -Wl,-Bsymbolic "$folder"/objects/*.o "$library" -lm
"$tool" topology simgrid "$cluster" >"$folder/platform.xml"
sed -n 's/.*<host id="\([^"]*\)".*/\1/p' "$folder/platform.xml" >"$folder/hosts"

# simulate SELECTOR CALLS: prints the program's lines. Rates are the platform's own, without SMPI's factors for TCP
# on one cluster of 2009, so that bounds hold.
simulate() {
  calls=$2
  case $1 in
  default) set -- "$@" ;;
  *) set -- "$1" "$2" "--cfg=smpi/coll-selector:$1" ;;
  esac
  shift 2
  smpirun -np "$ranks" -platform "$folder/platform.xml" -hostfile "$folder/hosts" --log=root.thres:error \
    --cfg=smpi/simulate-computation:no --cfg=network/bandwidth-factor:1 --cfg=network/latency-factor:1 \
    --cfg=network/weight-S:0 "$@" "$folder/simulated" "$calls" $jobs
}

jobs=$*
TOURNEY_CLUSTER=$cluster TOURNEY_MAP=block
export TOURNEY_CLUSTER TOURNEY_MAP
plans=bcast=switch-circulant,allgather=switch-ordered-ring,alltoall=shuffle
echo "ranks,selector,collective,bytes,native_ms,planned_ms,planned_to_native,algorithm"
for selector in default ompi; do
  TOURNEY_ALGORITHM=$plans simulate $selector 2 >"$folder/planned"
  while read -r collective bytes native ours algorithm wrong; do
    echo "$ranks,$selector,$collective,$bytes,$native,$ours,$(echo "$ours $native" |
      awk '{printf "%.3f", $1 / $2}'),$algorithm"
    [ "$wrong" = 0 ] || { echo "failed: wrong data at $wrong ranks"; exit 1; }
    [ "$algorithm" != native ] || { echo "failed: no plan served $collective"; exit 1; }
    echo "$ours $native $RATIO_MAX" | awk '{exit !($1 <= $2 * $3)}' ||
      { echo "failed: planned takes more than $RATIO_MAX times as long as native"; exit 1; }
  done <"$folder/planned"
  [ "$(wc -l <"$folder/planned")" = $# ] || { echo "failed: not all jobs were run"; exit 1; }
  [ "$what" = guard ] || continue
  simulate $selector $GUARD_CALLS >"$folder/guarded"
  paste -d' ' "$folder/planned" "$folder/guarded" >"$folder/both"
  while read -r collective bytes native planned _ _ _ _ _ ours algorithm wrong; do
    echo "guarded: $collective $bytes: $ours ms by $algorithm; native $native, planned $planned"
    [ "$wrong" = 0 ] || { echo "failed: wrong data at $wrong ranks"; exit 1; }
    echo "$ours $native $planned $GUARD_MAX" | awk '{exit !($1 <= ($2 < $3 ? $2 : $3) * $4)}' ||
      { echo "failed: not within 5 % of the better one"; exit 1; }
  done <"$folder/both"
done
