cd "$(mktemp -d)" || exit
header=$(head -n 1 "$OLDPWD/report_bench.csv")
try() {
  printf '%s\n' "$@" >bench.csv
  tourney report bench bench.csv --output page.html
  echo "exit code $?"
}
line='"single:4",block,4,alltoall,8,native,native,3,2,4,1,0.5,9,,'
try 'bytes,variant' '8,native'
try "$header"
try "$header" "$line" '"single:4",block,4,alltoall,8,native'
try "$header" '"single:4",block,four,alltoall,8,native,native,3,2,4,1,0.5,9,,'
try "$header" "$line" '' '"single:4",block,4,alltoall,8,native,native,nan,2,4,1,0.5,9,,'
try "$header" '"single:4",block,4,alltoall,8,native,native,5,2,4,1,0.5,9,,'
try "$header" '"single
:4",block,4,alltoall,8,native,native,3,2,4,1,0.5,9,,' '"open'
tourney report bench missing.csv
tourney report bench
ls
rm -r "$PWD"
