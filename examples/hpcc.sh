#!/bin/sh
# HPC Challenge (Debian's package hpcc) in the lab, with the MPI's own collectives and with planned ones
# in turns: the rate of its distributed FFT, whose transposes are MPI_Alltoall. Its other benchmarks
# send point to point; two of them are shown to say that they stay what they are. Needs the package hpcc.
# Exit 0: every run passed HPCC's own checks; 1: one didn't; 2: wrong arguments; 3: no hpcc.
# usage: examples/hpcc.sh [BUILD] [TURNS] [GRIDxGRID]   (build, 3, 4x4: so many ranks)
set -eu
cd "$(dirname "$0")/.."
build=$(cd "${1:-build}" && pwd)
turns=${2:-3}
grid=${3:-4x4}
tourney=$build/tourney
order=2048 # of HPL's matrix; HPCC derives the FFT's length from it
cluster='switches:8+8,link=20Mbit/s,trunk=20Mbit/s'

case $turns$grid in
*[!0-9x]*) echo "usage: examples/hpcc.sh [BUILD] [TURNS] [GRIDxGRID]" >&2; exit 2 ;;
esac
command -v hpcc >/dev/null || { echo "hpcc.sh: no hpcc here: install the package hpcc" >&2; exit 3; }

TOURNEY_LAB=hpcc$$
export TOURNEY_LAB
scratch=$(mktemp -d)
up=
end() {
  code=$?
  trap '' INT TERM
  trap - EXIT
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

# value KEY: what the last run wrote.
value() {
  sed -n "s/^$1=//p" "$scratch/hpccoutf.txt"
}

# run NAME COMMAND...: one run; its rates become a line.
run() {
  name=$1
  shift
  rm -f "$scratch/hpccoutf.txt"
  (cd "$scratch" && "$@" "$tourney" lab run -n $((${grid%x*} * ${grid#*x})) -- hpcc) >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    exit 1
  }
  [ "$(value Success)" = 1 ] || { echo "hpcc.sh: HPCC's own checks failed ($name)" >&2; exit 1; }
  echo "$name,$(value MPIFFT_N),$(value MPIFFT_Gflops),$(value MPIFFT_maxErr),$(value PTRANS_GBs),$(value HPL_Tflops)" |
    tee -a "$scratch/runs"
}

up=yes
"$tourney" lab up "$cluster" >/dev/null
echo "variant,fft_points,fft_gflops,fft_error,ptrans_gbytes,hpl_tflops"
turn=0
while [ $turn -lt "$turns" ]; do
  run native env
  run planned "$tourney" run --no-guard --
  turn=$((turn + 1))
done

# The medians, and planned over native.
for column in 3:FFT 5:PTRANS 6:HPL; do
  for variant in native planned; do
    awk -F, -v c="${column%:*}" -v v=$variant '$1 == v { print $c }' "$scratch/runs" | sort -g |
      awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'
  done | paste -sd' ' | awk -v what="${column#*:}" '{
    printf "%s: native %s, planned %s: ratio %.2f\n", what, $1, $2, $2 / $1 }'
done
