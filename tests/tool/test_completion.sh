#!/bin/bash
# What bash offers where tourney's command line goes on: the completion is loaded and asked as bash asks it. Options are offered
# that the manual page has, and no others.
# usage: test_completion.sh BUILD SOURCE
set -eu
build=$1 source=$2
tool=$build/tourney
. "$build/completions/tourney"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir plans
touch plan.txt cluster.dot

faults=0
# ask LINE: what is offered at its end, in COMPREPLY; `tourney` in it is the tool that was built.
ask() {
  local words
  COMP_LINE=$tool${1#tourney}
  COMP_POINT=${#COMP_LINE}
  read -ra words <<<"$COMP_LINE"
  COMP_WORDS=("${words[@]}")
  COMPREPLY=()
  _tourney 2>/dev/null || true
}
# offers LINE OFFER...: these among others. only LINE OFFER...: these and no others.
offers() {
  local line=$1 offer
  ask "$line"
  shift
  for offer; do
    printf '%s\n' "${COMPREPLY[@]}" | grep -qxF -e "$offer" && continue
    echo "'$line': no '$offer' among: ${COMPREPLY[*]}"
    faults=$((faults + 1))
  done
}
only() {
  local count=$(($# - 1))
  offers "$@"
  [ "${#COMPREPLY[@]}" -eq "$count" ] || { echo "'$1' offers: ${COMPREPLY[*]}"; faults=$((faults + 1)); }
}

subcommands=$("$tool" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
only 'tourney ' $subcommands help
only 'tourney help ' $subcommands help
only 'tourney pl' plan
only 'tourney -' --help --version
only 'tourney nothing-of-ours '
only 'tourney lab ' up run exec status down --name --help
only 'tourney lab up --' --name --buffer --congestion --help
only 'tourney topology ro' routes
offers 'tourney topology show ' cluster.dot switches:8+8 torus:8x8
only 'tourney topology show switches:' 8+8
offers 'tourney plan single:4 ' allgather alltoall bcast barrier
only 'tourney plan single:4 bcast --map ' block interleaved
only 'tourney plan single:4 bcast --map=inter' interleaved
only 'tourney plan single:4 barrier --algorithm ' $("$tool" algorithms --format csv | sed -n 's/^barrier,\([^,]*\),.*/\1/p')
offers 'tourney plan single:4 --routing ' up-down cluster.dot
only 'tourney plan single:4 --store ' plans
only 'tourney plan single:4 --ranks '
only 'tourney plan single:4 --output pl' plan.txt plans
only 'tourney verify cl' cluster.dot
only 'tourney convert plan.txt --to g' goal
only 'tourney verify --collective allr' allreduce
only 'tourney bench --collective bcast,allr' bcast,allreduce
offers 'tourney bench --algorithm ' bcast= ring
only 'tourney run --algorithm alltoa' alltoall=
only 'tourney run --algorithm bcast=bino' binomial
only 'tourney run --algorithm bcast=ring,alltoa' ring,alltoall=
only 'tourney tune --export m' mpich-json
only 'tourney simulate single:4 bcast --buffers ' fifo channels: shared
only 'tourney model tam' tam2000
offers 'tourney reproduce ' tam2000/figure-2 --check
offers 'tourney run -- mpiru' $(compgen -c mpiru | head -1)
only 'tourney run -- mpirun clu' cluster.dot
COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=]/}
only 'tourney plan single:4 bcast --map=inter' --map=interleaved
only 'tourney topology show switches:' switches:8+8

# Each option that a page lists is offered, and each that is offered is in the page.
for name in $subcommands; do
  for action in '' $([ "$name" != lab ] || echo up run exec status down); do
    ask "tourney $name $action --"
    printf '%s\n' "${COMPREPLY[@]}"
  done | sort -u >offered
  grep -o 'Fl Fl [a-z][a-z-]*' "$source/man/tourney-$name.1" | sed 's/Fl Fl /--/' | sort -u >page
  sed -n 's/^\.It.* Fl Fl \([a-z][a-z-]*\).*/--\1/p' "$source/man/tourney-$name.1" | sort -u >items
  comm -23 items offered >missing
  comm -13 page offered | grep -vx -e --help >extra || true
  [ ! -s missing ] && [ ! -s extra ] && continue
  echo "$name: in the page but not offered:" $(cat missing)"; offered, but not in the page:" $(cat extra)
  faults=$((faults + 1))
done
[ "$faults" -eq 0 ]
