cd "$(mktemp -d)" || exit
record=$OLDPWD/report_run.record
try() {
  tourney report run run.record --output page.html
  echo "exit code $?"
}
head -c 3000 "$record" >run.record
try
echo 'collective,bytes' >run.record
try
: >run.record
try
echo '{"tourney_profile": 1}' >run.record
try
sed 's/"tourney_record": 1/"tourney_record": 7/' "$record" >run.record
try
sed 's/"ranks": 64, "why/"ranks": 63, "why/' "$record" >run.record
try
sed 's/"host_of_rank": \[0/"host_of_rank": [99/' "$record" >run.record
try
sed 's/cable s0/cable s9/' "$record" >run.record
try
sed 's/"median_ns": [0-9]*/"median_ns": -1/' "$record" >run.record
try
tourney report run missing.record
tourney report run
ls
rm -r "$PWD"
