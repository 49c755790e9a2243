#!/bin/sh
# The README's commands work. A fenced block that follows one of these comments is run, its lines
# that begin with "$ " in order, in a scratch folder where build/ is the build:
#   <!-- test: exact -->  exit 0, and the output is as the README shows it
#   <!-- test: runs -->   exit 0; the output may differ (it shows times)
#   <!-- test: lab -->    the same, and needs network namespaces
# TOURNEY_REGENERATE=1 writes what the commands print into the README; look at the difference then.
# usage: test_readme.sh SOURCE BUILD plain|lab      (plain: the first two kinds)
set -eu
readme=$1/README.md
build=$2
part=$3
regenerate=${TOURNEY_REGENERATE:-}

if [ "$part" = lab ]; then
  unshare --net true 2>/dev/null || unshare --user --map-root-user --net true 2>/dev/null || {
    echo "skipped: no permission to make network namespaces here"
    exit 77
  }
fi

scratch=$(mktemp -d)
TOURNEY_LAB=readme$$
export TOURNEY_LAB
end() {
  code=$?
  [ "$part" != lab ] || "$build/tourney" lab down >/dev/null 2>&1 || true
  rm -rf "$scratch"
  exit "$code"
}
trap end EXIT
trap 'exit 130' INT TERM
mkdir "$scratch/play"
ln -s "$build" "$scratch/play/build"
ln -s "$1/examples" "$scratch/play/examples"
cd "$scratch/play"

# Is a block of this kind ours to run?
wanted() {
  case $part:$1 in plain:exact | plain:runs | lab:lab) return 0 ;; esac
  return 1
}

# Runs a command; its output takes the place of the README's where it must be exact.
play() {
  echo "$1" >&2
  sh -c "${1#\$ }" >"$scratch/got" 2>&1 </dev/null || {
    echo "exit code $?:" >&2
    cat "$scratch/got" >&2
    exit 1
  }
  printf '%s\n' "$1"
  keep_old=
  if [ "$kind" = exact ] || [ -n "$regenerate" ]; then
    sed "s/$TOURNEY_LAB/lab/g" "$scratch/got"
  else
    keep_old=yes
  fi
}

# The README again, with the output of the commands that were run.
kind=
inside=
replay() {
  while IFS= read -r line; do
    case $inside:$line in
    ':<!-- test: '*) kind=${line#<!-- test: } kind=${kind% -->} ;;
    ':```'*) inside=yes keep_old=yes ;;
    'yes:```'*) inside='' kind='' ;;
    'yes:$ '*)
      if wanted "$kind"; then
        count=$((count + 1))
        play "$line"
        continue
      fi
      ;;
    yes:*) ! wanted "$kind" || [ -n "$keep_old" ] || continue ;;
    esac
    printf '%s\n' "$line"
  done
  [ "$count" -gt 0 ] || { echo "$readme has no command for this test" >&2; exit 1; }
}

count=0
replay <"$readme" >"$scratch/README.md"
if [ -n "$regenerate" ]; then
  cp "$scratch/README.md" "$readme"
else
  diff -u "$readme" "$scratch/README.md"
fi
