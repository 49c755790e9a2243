#!/bin/sh
# What zsh makes of tourney's command lines: a zsh on a terminal of its own loads the completion, is given lines and a tab, and
# shows what they became.
# usage: test_completion_zsh.sh BUILD
set -eu
command -v zsh >/dev/null || { echo "skipped: there is no zsh here"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/plans" "$scratch/functions"
touch "$scratch/cluster.dot"
cp "$1/completions/_tourney" "$scratch/functions"
cd "$scratch"
cat >setup.zsh <<END
PATH=$1:\$PATH
PS1= PS2= RPS1=
unsetopt zle_bracketed_paste 2>/dev/null
fpath=($scratch/functions \$fpath)
autoload -U compinit && compinit -u -D
show() { print -rn -- "<\$BUFFER>" >>$scratch/became; BUFFER= }
zle -N show
bindkey '^G' show
bindkey '^I' expand-or-complete
setopt no_list_beep no_auto_menu no_always_last_prompt
LISTMAX=1000
print ready
END
cat >drive.zsh <<'END'
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "source ./setup.zsh"
zpty -r -m shell seen '*ready*' || exit 1
: >became
while IFS= read -r line; do
  before=$(<became)
  zpty -w -n shell "$line"$'\t\x07'
  for i in {1..200}; do
    while zpty -r -t shell seen; do :; done
    [[ $(<became) != $before ]] && break
    sleep 0.05
  done
done
zpty -d shell
END

# becomes LINE WANTED...
becomes() {
  printf '%s\n' "$1" >>lines
  printf '<%s>' "$2" >>wanted
}
becomes 'tourney pl' 'tourney plan '
becomes 'tourney plan --wind' 'tourney plan --window '
becomes 'tourney plan --map int' 'tourney plan --map interleaved '
becomes 'tourney plan --map=int' 'tourney plan --map=interleaved '
becomes 'tourney topology show clu' 'tourney topology show cluster.dot '
becomes 'tourney topology show switches:' 'tourney topology show switches:8+8 '
becomes 'tourney plan single:4 allr' 'tourney plan single:4 allreduce '
becomes 'tourney run --algorithm bcast=bino' 'tourney run --algorithm bcast=binomial '
becomes 'tourney run --algorithm bcast=ring,alltoa' 'tourney run --algorithm bcast=ring,alltoall='
becomes 'tourney run --learn clu' 'tourney run --learn cluster.dot '
becomes 'tourney plan --store p' 'tourney plan --store plans/'
becomes 'tourney lab up --cong' 'tourney lab up --congestion '
becomes 'tourney nonsense --cong' 'tourney nonsense --cong'
timeout 100 zsh -f drive.zsh <lines >log 2>&1 || { cat log; exit 1; }
[ "$(cat became)" = "$(cat wanted)" ] || {
  echo "wanted:"; tr '>' '\n' <wanted; echo "became:"; tr '>' '\n' <became; exit 1; }
