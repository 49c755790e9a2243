#!/bin/bash
# The conformance suite: combinations out of the table (axes.c), each made by the runtime and natively in one
# process and compared. The last line says how many were run and how many failed; a line "FAILED: COMBINATION:
# ..." names each that did, to be run alone by --only.
# usage: test_suite.sh MPI c PROGRAM LIBRARY TOOL CHOOSE all|sample|spoiled COUNT [SETTING...]
#        test_suite.sh MPI c PROGRAM LIBRARY --only COMBINATION
#        test_suite.sh MPI fortran ... the same; PROGRAM is the suite's library, and Fortran is compiled here
#   MPI          openmpi or mpich
#   PROGRAM      main.c, built; LIBRARY: what LD_PRELOAD gets, the runtime last; TOOL: tourney; CHOOSE: choose.c
#   all, ...     all: of each algorithm listed, some call has to be served by it; spoiled: some have to fail
#   COUNT        of combinations; SETTING: those of settings.txt that are used, instead of all
#   SEED         in the environment: draws other combinations (1)
#   COLLECTIVES  likewise: an extended regular expression; the combinations of such collectives alone are run
set -u
here=$(dirname "$(realpath "$0")")
mpi=$1 language=$2 program=$3 library=$4
shift 4
[ "$mpi" = mpich ] || . "$here/../support/mpi_support"
. "$here/../support/rank_support"
. "$here/suite_support"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!TOURNEY_@}"
export ASAN_OPTIONS="${ASAN_OPTIONS:-}" CONFORMANCE_LIST=$work/list
runs=0 failed=0

# Runs the combinations of $work/list, of one setting, by program $2; notes what the ranks say in $work/said.
run_setting() {
  local ranks=${1%%@*} place=${1##*@} cluster=${1#*@}
  export TOURNEY_CLUSTER=${cluster%@*} TOURNEY_MAP=$place TOURNEY_ALGORITHM=bcast=binomial
  local code=0
  launch "$ranks" "$2" >"$work/output" 2>&1 </dev/null || code=$?
  grep -a "^FAILED: \|^not a comb" "$work/output" | sort -u | head -n 40
  grep -a "^served " "$work/output" >>"$work/served"
  local ran
  ran=$(sed -n 's/^ran \([0-9]*\), \([0-9]*\) failed$/\1 \2/p' "$work/output")
  if [ -z "$ran" ] || { [ "${ran#* }" -eq 0 ] && [ "$code" -ne 0 ]; }; then
    echo "the ranks of $1 ended early, or with a sanitizer's report (exit code $code):"
    tail -n 40 "$work/output"
    ran=${ran:-0 0}
    ran="${ran% *} 1"
  fi
  runs=$((runs + ${ran% *})) failed=$((failed + ${ran#* }))
}

finish() {
  echo "conformance: $runs combinations run, $failed failed"
  if [ "${extent:-}" = spoiled ]; then
    [ "$failed" -gt 0 ] && exit 0
    echo "nothing was found, and there was something to find"
    exit 1
  fi
  [ "$failed" -eq 0 ] && [ "$runs" -gt 0 ]
  exit
}

make_programs
if [ "$1" = --only ]; then
  echo "$2" >"$CONFORMANCE_LIST"
  : >"$work/served"
  for built in $programs; do
    run_setting "${2%% *}" "$built"
  done
  finish
fi

tool=$1 choose=$2 extent=$3 count=$4
shift 4
[ "$#" -gt 0 ] || set -- $(cat "$here/settings.txt")

# Which algorithms can be planned in each setting, for all its ranks. Of gathers and scatters the uneven forms alone are served, and
# what needs a pattern serves uneven calls alone, by their counts. Barriers have no data: test_every_algorithm.sh calls them.
"$tool" algorithms --format csv | tail -n +2 >"$work/list"
grep -E ',"[^"]* a pattern",' "$work/list" | cut -d, -f2 >"$work/by_counts"
cut -d, -f1,2,5 "$work/list" | grep -v -E "^barrier,|^(gather|scatter),.*,no$" |
  cut -d, -f1,2 | awk -F, -v of="${COLLECTIVES:-.}" '$1 ~ of' >"$work/algorithms"
[ -s "$work/algorithms" ] || { echo "the tool lists no algorithms"; exit 1; }
for setting; do
  cluster=${setting#*@}
  while IFS=, read -r collective name; do
    pattern=
    ! grep -qx "$name" "$work/by_counts" || pattern="--pattern random:1"
    "$tool" plan "${cluster%@*}" "$collective" --algorithm "$name" --ranks "${setting%%@*}" --map "${setting##*@}" \
      --bytes 64 $pattern >/dev/null 2>&1 </dev/null && echo "$setting $collective=$name"
  done <"$work/algorithms"
done >"$work/serving"

"$choose" "${SEED:-1}" "$count" "$mpi" "$language" "$work/serving" "$@" | awk -v of="${COLLECTIVES:-.}" '$2 ~ of' >"$work/all"
[ "${PIPESTATUS[0]}" -eq 0 ] || exit 1
for setting; do
  grep -F "$setting " "$work/all" >"$work/of_setting" || continue
  share=0
  for built in $programs; do # each runs its share
    awk -v of="$program_count" -v share="$share" 'NR % of == share' "$work/of_setting" >"$CONFORMANCE_LIST"
    share=$((share + 1))
    [ ! -s "$CONFORMANCE_LIST" ] || run_setting "$setting" "$built"
  done
done

awk '{ count[$2] += $3; if ($2 !~ /=native$/) planned += $3 }
  END { printf "%d calls were planned; by collective and what served it:\n", planned
    for (word in count) print word, count[word] | "sort" }' "$work/served" >"$work/counts"
cat "$work/counts"
if [ "$extent" = all ]; then
  neighbours=
  [ "$language" = fortran ] ||
    neighbours="neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw"
  while IFS=, read -r collective name; do
    case $collective in gather | scatter) collective=${collective}v ;; esac
    ! grep -qx "$name" "$work/by_counts" || collective=${collective}v
    grep -q "^$collective=$name " "$work/counts" && continue
    echo "FAILED: no call was served by $collective=$name"
    failed=$((failed + 1))
  done <"$work/algorithms"
  for collective in allgatherv alltoallv alltoallw gatherv scatterv $neighbours; do
    [[ $collective =~ ${COLLECTIVES:-.} ]] || continue
    grep "^$collective=" "$work/counts" | grep -qv "=native " && continue
    echo "FAILED: no call of $collective was planned"
    failed=$((failed + 1))
  done
fi
finish
