#!/bin/bash
# tools/performance, with a tool that only pretends to have a lab: that a run which was interrupted goes on where it was,
# that noise is measured again, and that what falls short, fails or is missing is named, with the exit code.
# usage: test_performance.sh SOURCE BUILD
set -eu
source=$1
faults=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/build"
cp "$2/tourney-performance" "$folder/build/"
cat >"$folder/build/tourney" <<'EOF'
#!/bin/bash
# What it is told is in the file calls; the files native, planned and spread are its figures.
echo "$*" >>"$PRETEND/calls"
case $1 in
lab)
  [ "$2" != up ] || [ "$3" = "${3#zones}" ] || { echo "tourney: no delays here, none" >&2; exit 3; }
  exit 0 ;;
tune)
  [ ! -e "$PRETEND/no_tuning" ] || exit 2
  while [ "$1" != -o ]; do shift; done
  : >"$2"
  exit 0 ;;
esac
if [ -e "$PRETEND/stop_after" ] && [ "$(grep -c ^bench "$PRETEND/calls")" -gt "$(cat "$PRETEND/stop_after")" ]; then
  exit 130
fi
while [ "$1" != --csv ]; do shift; done
{
  echo header
  echo "\"c,d\",block,16,bcast,64,native,native,$(cat "$PRETEND/native"),1,0.9,3,cubic"
  echo "\"c,d\",block,16,bcast,64,planned,shuffle,$(cat "$PRETEND/planned"),1,0.95,3,cubic"
} >"$2"
EOF
chmod +x "$folder/build/tourney"
export PRETEND=$folder
journal=$folder/journal

# performance EXIT_CODE ARGUMENT...: its output is in the files out and err
performance() {
  local wanted=$1 got=0
  shift
  "$source/tools/performance" --quick --journal "$journal" "$@" "$folder/build" \
    >"$folder/out" 2>"$folder/err" || got=$?
  [ "$got" -eq "$wanted" ] || { echo "exit code $got, not $wanted: $*"; cat "$folder/err"; faults=1; }
}

says() {
  grep -q -F -e "$2" "$folder/$1" || { echo "expected in $1: $2"; cat "$folder/$1"; faults=1; }
}

# count PATTERN: of the calls so far
count() {
  grep -c -e "$1" "$folder/calls" || true
}

performance 2 --sideways
says err "unknown option --sideways"
got=0
"$source/tools/performance" --journal >"$folder/out" 2>"$folder/err" || got=$?
[ "$got" -eq 2 ] || { echo "exit code $got, not 2, without a journal's name"; faults=1; }
says err "usage: tools/performance"
performance 2 --tune 1
says err "--tune needs --profiles"
performance 0 --help
says out "--profiles DIR"
if "$source/tools/performance" /nonexistent >"$folder/out" 2>"$folder/err"; then faults=1; fi
says err "run make build"

# interrupted after three runs: nothing of the fourth counts, and the next go at it has the rest
echo 40,39,41 >"$folder/native"
echo 10,9.9,10.1 >"$folder/planned"
echo 3 >"$folder/stop_after"
: >"$folder/calls"
performance 130
says err "about"
[ "$(grep -c ',end,' "$journal")" -eq 3 ] || { echo "three runs must be kept"; cat "$journal"; faults=1; }
[ "$(tail -n 1 "$folder/calls")" = "lab down" ] || { echo "the lab stays up"; faults=1; }
rm "$folder/stop_after"
: >"$folder/calls"
performance 1
cells=$(sed -n 's/^\([0-9]*\) cells: .*/\1/p' "$folder/out")
zones=$(grep -c '^| two zones' "$folder/out")
[ "$(count ^bench)" -eq $((2 * (cells - zones) - 3)) ] || { echo "not the rest"; cat "$folder/calls"; faults=1; }
says err "can't be measured: tourney: no delays here; none"
says out "can't be measured: tourney: no delays here; none"
says out "0 not measured yet"
says out "| 20 and 100 Mbit/s |"
[ "$(grep -c ' | good |$' "$folder/out")" -eq $((cells - zones)) ] || { echo "all others are good"; cat "$folder/out"; faults=1; }

# once more: only what couldn't be measured is tried
: >"$folder/calls"
performance 1
[ "$(count ^bench)" -eq 0 ] && [ "$(count 'lab up zones')" -eq "$zones" ] || { cat "$folder/calls"; faults=1; }

# with profiles: made once for a cluster and a network, and the cells are measured anew with them
: >"$folder/calls"
performance 1 --profiles "$folder/profiles" --tune 1 --only single
[ "$(count '^tune --max-minutes 1 --map')" -ge 1 ] && [ "$(count '^bench.*--peers')" -ge 1 ] &&
  [ "$(count ^bench)" -eq "$(count '^bench.*--peers')" ] || { cat "$folder/calls"; faults=1; }
[ "$(grep -c ',end,[0-9]*,1$' "$journal")" -eq "$(count ^bench)" ] || { echo "not with a profile"; faults=1; }
# where tuning fails, what was measured without stays
: >"$folder/no_tuning"
rm -r "$folder/profiles"
: >"$folder/calls"
performance 1 --profiles "$folder/profiles" --tune 1
[ "$(count ^tune)" -eq 1 ] || { cat "$folder/calls"; faults=1; }
says err "going on without making profiles"

# slower than native by less than the spread: measured once more, with more samples, then called short
rm "$journal"
echo 10,9,11 >"$folder/native"
echo 10.5,9,11 >"$folder/planned"
: >"$folder/calls"
performance 1 --only single
[ "$(count ^bench)" -ge 3 ] && [ "$(count 'repeat 31')" -ge 1 ] || { cat "$folder/calls"; faults=1; }
says err "single/"
says err "SHORT: ratio to native 0.952 under"
says err "not measured yet"

# slower by far: once is enough
rm "$journal"
echo 30,29,31 >"$folder/planned"
: >"$folder/calls"
performance 1 --only single
[ "$(count 'repeat 31')" -eq 0 ] || { cat "$folder/calls"; faults=1; }
exit $faults
