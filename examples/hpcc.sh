#!/bin/sh
# HPC Challenge (Debian's package hpcc) in the lab, with the MPI's own collectives and with planned ones
# in turns: the time of its distributed FFT, whose transposes are MPI_Alltoall. What comes before it
# sends point to point, and takes longer. Needs the package hpcc.
# Exit 0: every transform came back; 1: a run failed, or planned was slower; 2: wrong arguments; 3: no hpcc.
# usage: examples/hpcc.sh [BUILD] [TURNS] [GRIDxGRID]   (build, 3, 4x4: so many ranks)
set -eu
cd "$(dirname "$0")/.."
case ${1-} in
-h | --help) sed -n '2,/^set/s/^# //p' "$0"; exit 0 ;;
esac
build=$(cd "${1:-build}" && pwd)
turns=${2:-3}
grid=${3:-4x4}
tourney=$build/tourney
seconds=200
order=1024 # of HPL's matrix; HPCC derives the FFT's length from it
cluster='switches:8+8,link=20Mbit/s,trunk=20Mbit/s'

bad=
case $turns in '' | *[!0-9]*) bad=1 ;; esac
case $grid in *[!0-9x]* | *x*x* | x* | *x) bad=1 ;; *x*) ;; *) bad=1 ;; esac
[ -z "$bad" ] || { echo "usage: examples/hpcc.sh [BUILD] [TURNS] [GRIDxGRID]" >&2; exit 2; }
command -v hpcc >/dev/null || { echo "hpcc.sh: no hpcc here: install the package hpcc" >&2; exit 3; }

TOURNEY_LAB=hpcc$$
export TOURNEY_LAB
scratch=$(mktemp -d)
up= running=
end() {
  code=$?
  trap '' INT TERM
  trap - EXIT
  [ -z "$running" ] || { kill "$running" 2>/dev/null; wait "$running" 2>/dev/null; } || true
  [ -z "$up" ] || "$tourney" lab down >/dev/null 2>&1 || true
  rm -rf "$scratch"
  exit "$code"
}
trap end EXIT
trap 'exit 130' INT TERM

# HPCC reads its settings by line number.
cat >"$scratch/hpccinf.txt" <<EOF
settings
of HPC Challenge
HPL.out  file
8        to a file
1        sizes
$order
1        block sizes
64
0        rows first
1        grids
${grid%x*}
${grid#*x}
16.0     threshold
1        panel factorizations
2
1        stopping criteria
4
1        panels
2
1        recursive factorizations
1
1        broadcasts
1
1        depths
1
2        mixed swaps
64       threshold
0        L transposed
0        U transposed
1        equilibration
8        alignment
----
0        more sizes of PTRANS
0
0        more block sizes of PTRANS
0
EOF

# value KEY: what HPCC's report has behind it in the section of its distributed FFT.
value() {
  sed -n "/^Begin of MPIFFT/,/^End of MPIFFT/s/^$1: *//p" "$scratch/hpccoutf.txt"
}

# run NAME COMMAND...: one run until its distributed FFT is done; a line of what that reports. HPCC's
# later sections have no collectives that are planned, and its last takes minutes on slow links.
run() {
  name=$1
  shift
  rm -f "$scratch/hpccoutf.txt"
  (cd "$scratch" && exec "$@" "$tourney" lab run -n $((${grid%x*} * ${grid#*x})) --timeout $seconds -- hpcc) \
    >"$scratch/log" 2>&1 &
  running=$!
  while ! grep -q '^End of MPIFFT' "$scratch/hpccoutf.txt" 2>/dev/null; do
    kill -0 "$running" 2>/dev/null || { cat "$scratch/log" >&2; running=; echo "hpcc.sh: HPCC ended early" >&2; exit 1; }
    sleep 0.2
  done
  kill "$running" 2>/dev/null || true
  wait "$running" 2>/dev/null || true
  running=
  value 'max(|x-x0|)' | awk '{ exit !($1 > 0 && $1 < 1e-10) }' ||
    { echo "hpcc.sh: the FFT there and back isn't what it was ($name)" >&2; exit 1; }
  echo "$name,$(value 'Vector size'),$(value Computing),$(value 'Inverse FFT'),$(value 'max(|x-x0|)')" | tee -a "$scratch/runs"
}

up=yes
"$tourney" lab up "$cluster" >/dev/null
echo "variant,points,there_s,back_s,error"
turn=0
while [ $turn -lt "$turns" ]; do
  run native env
  run planned "$tourney" run --no-guard --
  turn=$((turn + 1))
done

# The medians, and planned over native.
for variant in native planned; do
  awk -F, -v v=$variant '$1 == v { print $3 + $4 }' "$scratch/runs" | sort -g |
    awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'
done | paste -sd' ' | awk '{
    printf "Seconds there and back: native %s, planned %s: ratio %.2f\n", $1, $2, $1 / $2
    exit ($2 > $1) }'
