# What the lab's tests share: sourced by them, with the tool in $tool and root or user in $who. Each
# test has a runtime folder of its own, $work/run, so that no other lab of this user is touched.
# shellcheck shell=bash disable=SC2154
skip() {
  echo "skipped: $*"
  exit 77
}

as=()
if [ "$(id -u)" -eq 0 ] && [ "$who" = user ]; then
  command -v setpriv >/dev/null || skip "there is no setpriv to become a plain user"
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  "${as[@]}" test -x "$tool" -a -x "$stream" || skip "a plain user can't read the build folder"
elif [ "$(id -u)" -ne 0 ] && [ "$who" = root ]; then
  skip "not root"
fi
command -v mpirun >/dev/null || skip "there is no mpirun (package openmpi-bin)"

work=$(mktemp -d)
chmod 755 "$work"
"${as[@]}" true && mkdir -m 700 "$work/run"
[ ${#as[@]} -eq 0 ] || chown 65534:65534 "$work/run"
export XDG_RUNTIME_DIR=$work/run HOME=$work/run
unset TOURNEY_LAB TOURNEY_LAB_INSIDE TOURNEY_CLUSTER TOURNEY_PRELOAD
cd "$work" || exit 1
# A child that is signalled before it has become its command runs this too: only the script itself clears up.
trap '[ $BASHPID -ne $$ ] || { "${as[@]}" "$tool" lab down --all >/dev/null 2>&1; rm -rf "$work"; }' EXIT

lab() {
  "${as[@]}" "$tool" lab "$@"
}

faults=0
fault() {
  echo "FAULT: $*"
  sed 's/^/    /' "$work/out" "$work/err" 2>/dev/null
  faults=$((faults + 1))
}

# expect CODE COMMAND...: runs it; what it printed is in $work/out and $work/err.
expect() {
  local code=$1 got
  shift
  "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ "$got" -eq "$code" ] || fault "$* gave $got, not $code"
}

# says TEXT: in what the last command printed.
says() {
  grep -q -e "$1" "$work/out" "$work/err" || fault "nothing said '$1'"
}

# within VALUE LEAST MOST
within() {
  awk -v v="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(v >= a && v <= b) }' ||
    fault "$1 isn't between $2 and $3"
}

# start COMMAND...: the tool in the background, where bash would have it ignore Ctrl-C; $! is then
# the tool itself.
start() {
  env --default-signal=INT,QUIT "${as[@]}" "$tool" lab "$@" >/dev/null 2>&1 &
}

# Processes in the lab whose program has this name.
count_inside() {
  lab exec h0 -- sh -c 'cat /proc/[0-9]*/comm 2>/dev/null' | grep -c -x "$1"
}

# wait_for_inside NAME: until it runs.
wait_for_inside() {
  for _ in $(seq 100); do
    [ "$(count_inside "$1")" -eq 0 ] || return 0
    sleep 0.05
  done
  fault "$1 never ran"
}

# count_started NAME: processes of this name that this test has started.
count_started() {
  local count=0 process
  for process in /proc/[0-9]*; do
    [ "$(cat "$process/comm" 2>/dev/null)" = "$1" ] &&
      tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -q -x -F "XDG_RUNTIME_DIR=$work/run" &&
      count=$((count + 1))
  done
  echo $count
}

count_keepers() {
  count_started tourney-lab
}

keeper() {
  lab status "$@" --json | sed -n 's/.*"keeper": \([0-9]*\).*/\1/p'
}

# Kills the lab's keeper, which is gone a moment later.
kill_keeper() {
  kill -KILL "$(keeper)"
  for _ in $(seq 100); do
    lab status >/dev/null 2>&1 || return 0
    sleep 0.05
  done
  fault "the killed keeper lives on"
}
