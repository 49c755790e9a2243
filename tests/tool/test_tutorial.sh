#!/bin/bash
# A tutorial (docs/add-an-algorithm.md, docs/add-a-collective.md), followed to the letter in a copy of the project. A
# comment before a fenced block says what to do with it:
#   <!-- file: PATH -->              the block is that file
#   <!-- add: PATH after: TEXT -->   the block goes behind the first line that has TEXT
#   <!-- add: PATH before: TEXT -->  the block goes in front of the first line that has TEXT
#   <!-- remove: PATH -->            the block's lines go out of the file
#   <!-- run -->                     its lines that begin with "$ " are run, and must succeed
#   <!-- run: exact[, exit N] -->    the same; the output is as shown, the last command's exit code N
# TOURNEY_REGENERATE=1 writes what the commands print into the page; look at the difference then.
# usage: test_tutorial.sh SOURCE PAGE [whole]
#   whole: the copy's tests and examples are built too, of which the pages use nothing
set -u
source=$(realpath "$1")
page=$source/$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
copy=$scratch/tourney
mkdir "$copy"
(cd "$source" && git -c safe.directory="$source" ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
  [ ! -e "$file" ] || printf '%s\0' "$file"
done | tar --null -T - -cf -) | tar -xf - -C "$copy" || exit 1
cd "$copy" || exit 1

fail() {
  echo "FAULT: $*" >&2
  exit 1
}

# add FILE WHERE TEXT: the block in $scratch/block goes into the file, behind or before the first line with the text.
add() {
  local line
  line=$(grep -nF -m 1 -e "$3" "$1" | cut -d: -f1)
  [ -n "$line" ] || fail "$1 has no line with '$3'"
  [ "$2" = after ] || line=$((line - 1))
  sed -i "${line}r $scratch/block" "$1"
}

# The lines of the block go out of the file $1; they must stand there together, once.
remove() {
  perl -0777 -i -pe 'BEGIN { local $/; open F, "<", shift; $b = <F> } $n = s/\Q$b\E//; exit 3 if !$n' \
    "$scratch/block" "$1" || fail "$1 doesn't have the lines to be removed"
}

# run COMMAND WHAT: prints the command, and what it prints.
run() {
  local code=0 wanted=0
  case $2 in *"exit "*) wanted=${2##*exit } ;; esac
  echo "$1" >&2
  bash -c "$1" >"$scratch/got" 2>&1 </dev/null || code=$?
  echo "\$ $1"
  [ "$2" = run ] || cat "$scratch/got"
  if [ "$code" -ne 0 ] && [ "$code" -ne "$wanted" ]; then
    cat "$scratch/got" >&2
    fail "'$1' gave exit code $code"
  fi
  last_code=$code
}

# The page again, with what the commands printed.
replay() {
  local what='' inside='' runs=0 line
  while IFS= read -r line; do
    case $inside:$line in
    ':<!-- '*' -->') what=${line#<!-- } what=${what% -->} last_code=0 ;;
    ':```'*) inside=yes && : >"$scratch/block" ;;
    'yes:```')
      case $what in
      'file: '*) mkdir -p "$(dirname "${what#file: }")" && cp "$scratch/block" "${what#file: }" || fail "$what" ;;
      'add: '*' after: '*) add "$(sed 's/add: \(.*\) after: .*/\1/' <<<"$what")" after "${what#* after: }" ;;
      'add: '*' before: '*) add "$(sed 's/add: \(.*\) before: .*/\1/' <<<"$what")" before "${what#* before: }" ;;
      'remove: '*) remove "${what#remove: }" ;;
      *"exit "*) [ "$last_code" -eq "${what##*exit }" ] || fail "exit code $last_code, not as said: $what" ;;
      esac
      inside='' what=''
      ;;
    'yes:$ '*)
      case $what in run*) runs=$((runs + 1)) && run "${line#\$ }" "$what" && continue ;; esac
      ;;
    yes:*)
      printf '%s\n' "$line" >>"$scratch/block"
      case $what in 'run: exact'*) continue ;; esac
      ;;
    esac
    printf '%s\n' "$line"
  done
  [ "$runs" -gt 0 ] || fail "the page runs nothing"
}

# What the page doesn't change, the project's own build has compiled already.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR="$copy" CCACHE_NOHASHDIR=1
fi
[ "${3-}" = whole ] || cmake --preset default -DBUILD_TESTING=OFF -DTOURNEY_EXAMPLES=OFF >/dev/null || exit 1
last_code=0
replay <"$page" >"$scratch/page.md" || exit 1
if [ -n "${TOURNEY_REGENERATE:-}" ]; then
  cp "$scratch/page.md" "$page"
else
  diff -u "$page" "$scratch/page.md"
fi
