# How many formulas have a number of ours beside them, and which of those are 1 % off or more.
tourney model --csv | awk -F, '
  NR > 1 && $(NF - 1) != "-" { compared++ }
  NR > 1 && $(NF - 1) != "-" && ($(NF - 1) < 0.99 || $(NF - 1) > 1.01) { print }
  END { print compared " compared" }'
