#!/bin/sh
# Programs as they are, most of them of Debian's archive, natively and with the runtime: they have to say
# the same, times apart. In the lab, on 16 hosts of two switches, in turns and with times; or, quickly,
# as 4 ranks on this machine that are placed by number on 2 + 2 hosts. Which calls were planned comes last.
#   fft       fft_frames: transposes by MPI_Alltoall          fftw      fftw_mpi_frames: FFTW's own transposes
#   spfft     spfft_frames: SpFFT's exchanges                 hpcc      HPC Challenge (in the lab: examples/hpcc.sh)
#   scalapack ScaLAPACK's testers (Fortran)                   espresso  Quantum ESPRESSO's pw.x (Fortran): 8 atoms
#   mpi4py    mpi4py_collectives.py: Python                   mpi4py-tests  mpi4py's own tests of collectives
# mpi4py-tests needs the sources of the mpi4py that is installed, since its package has no tests: MPI4PY_SOURCES
# names their folder (`apt-get source mpi4py` gets them, where apt's sources have deb-src). Without it, it's skipped;
# it runs with --here alone, as on 16 ranks its calls are too many.
# Exit 0: they say the same (and with --here, at least one call was planned); 1: not so; 2: wrong arguments; 77: not installed.
# usage: examples/programs.sh [--here] [--no-guard] BUILD PROGRAM [TURNS]   (TURNS: in the lab, 3; --here never has the guard)
set -eu
cd "$(dirname "$0")/.."
source=$(pwd)
cluster='switches:8+8,link=20Mbit/s,trunk=20Mbit/s'
place=lab guard= algorithms= limit=60
while :; do
  case ${1-} in
  -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d'; exit 0 ;;
  --here) place=here guard=--no-guard cluster=switches:2+2,link=20Mbit/s ;;
  --no-guard) guard=--no-guard ;;
  *) break ;;
  esac
  shift
done
usage() {
  echo "usage: examples/programs.sh [--here] [--no-guard] BUILD PROGRAM [TURNS]" >&2
  exit 2
}
[ $# -ge 2 ] && [ -d "$1" ] || usage
build=$(cd "$1" && pwd)
program=$2 turns=${3:-3}
case $turns in '' | *[!0-9]* | 0) usage ;; esac
tourney=$build/tourney
testers=/usr/lib/$(gcc -print-multiarch 2>/dev/null || echo x86_64-linux-gnu)/scalapack/openmpi-tests
potentials=/usr/share/espresso/pseudo

skip() {
  echo "skipped: $*" >&2
  exit 77
}
# need FILE PACKAGE: what isn't there is skipped.
need() { [ -e "$1" ] || skip "there is no $1 (package $2)"; }
need "$(command -v mpirun || echo mpirun)" openmpi-bin

scratch=$(mktemp -d)
TOURNEY_LAB=programs$$ OMP_NUM_THREADS=1
TOURNEY_MAP=block
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export TOURNEY_LAB OMP_NUM_THREADS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
if [ "$place" = here ]; then
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export TOURNEY_MAP OMPI_MCA_mpi_yield_when_idle OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy
fi
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

fail() {
  echo "programs.sh: $program: $*" >&2
  exit 1
}

# ---- what each program is: its input, its command lines (one a line), what it must say, how long it took

input_fft() { echo "$build/fft_frames --frames 4 --size $1"; }
input_spfft() { echo "$build/spfft_frames --frames 4 --size $2"; }
input_fftw() { echo "$build/fftw_mpi_frames --frames 8 --size $3"; }

# On this machine every tester has Debian's own input; in the lab one has larger matrices.
input_scalapack() {
  need "$testers/xdlu" scalapack-mpi-test
  if [ "$place" = here ]; then
    cp -L "$testers"/*.dat .
    for tester in xdlu xdqr xdnep xdtrd xdbrd xdhrd xdls xdinv xdgblu xdpbllt xzevc; do
      echo "$testers/$tester"
    done
    return
  fi
  cat >LU.dat <<END
'ScaLAPACK, LU factorization'
'in the lab'
'LU.out'  output file
6         device
1         sizes
1024      M
1024      N
1         block sizes
64        NB
1         right hand sides
64        NRHS
1         their block sizes
64        NBRHS
1         grids
4         P
4         Q
1.0       threshold
F         condition numbers
END
  echo "$testers/xdlu"
}

input_espresso() {
  need "$(command -v pw.x || echo pw.x)" quantum-espresso
  need $potentials/Si.pz-vbc.UPF quantum-espresso-data
  cat >silicon.in <<END
&control
  calculation = 'scf', prefix = 'silicon', outdir = './scratch', pseudo_dir = '$potentials'
  disk_io = 'none'
/
&system
  ibrav = 1, celldm(1) = 10.26, nat = 8, ntyp = 1, ecutwfc = $4
/
&electrons
  conv_thr = $5, diagonalization = 'cg'
/
ATOMIC_SPECIES
  Si 28.086 Si.pz-vbc.UPF
ATOMIC_POSITIONS crystal
  Si 0.00 0.00 0.00
  Si 0.50 0.50 0.00
  Si 0.50 0.00 0.50
  Si 0.00 0.50 0.50
  Si 0.27 0.25 0.25
  Si 0.75 0.75 0.25
  Si 0.75 0.25 0.75
  Si 0.25 0.75 0.75
K_POINTS gamma
END
  echo "pw.x -in silicon.in"
}

input_mpi4py() {
  need /usr/lib/python3/dist-packages/mpi4py python3-mpi4py
  need /usr/lib/python3/dist-packages/numpy python3-numpy
  echo "/usr/bin/python3 $source/examples/mpi4py_collectives.py ${6-}"
}

input_mpi4py_tests() {
  [ -e "${MPI4PY_SOURCES-}/test/mpiunittest.py" ] || skip "MPI4PY_SOURCES names no folder of mpi4py's sources"
  need /usr/lib/python3/dist-packages/mpi4py python3-mpi4py
  need /usr/lib/python3/dist-packages/numpy python3-numpy
  echo "/usr/bin/python3 $source/examples/mpi4py_tests.py $MPI4PY_SOURCES"
}

# HPCC reads its settings by line number.
input_hpcc() {
  need "$(command -v hpcc || echo hpcc)" hpcc
  printf '%s\n' settings '' HPL.out 8 1 256 1 64 0 1 2 2 16.0 1 2 1 4 1 2 1 1 1 1 1 1 2 64 0 0 1 8 ---- 0 0 0 0 \
    >hpccinf.txt
  echo hpcc
}

# facts: what it said, without times, rates and dates.
facts() {
  case $program in
  fft | spfft | fftw) grep -v -e ^seconds -e ^frames/s -e '^FFTW transposes' ;;
  # Times, rates, and residuals, which are rounding alone: a reduction's order is the plan's.
  scalapack) sed -E '/WALL/ { s/ +[0-9]*\.[0-9]{2,4}( |$)/ T /g; s/ +[0-9]*\.[0-9]{2,4}( |$)/ T /g; s/(PASSED|FAILED) +[0-9.]+ *$/\1 T/; s/ +/ /g }' ;;
  espresso) grep -v -e CPU -e WALL -e 'cpu time' -e 'starts on' -e 'terminated on' ;;
  mpi4py) grep -v ^seconds ;;
  mpi4py-tests)
    cat >/dev/null
    sed 's/^\(Ran .*\) in .*/\1/' unittest.*
    ;;
  hpcc)
    cat >/dev/null
    grep -E '^(Success|HPL_[A-Z]|PTRANS_(n|residual)|.*_Errors|(MPI)?FFT_N|MPIFFT_maxErr|CommWorldProcs)' hpccoutf.txt |
      grep -v -E '^HPL_Tflops'
    ;;
  esac
}

# seconds: by its own clock.
seconds() {
  case $program in
  fft | spfft | fftw) sed -n 's/^seconds //p' ;;
  scalapack) awk '/^WALL/ { sum += $9 + $10 } END { print sum }' ;;
  espresso) sed -n 's/^ *PWSCF *:.*CPU *\(.*\)s WALL.*/\1/p' | awk -Fm '{ print (NF > 1 ? 60 * $1 + $2 : $1) }' ;;
  mpi4py | mpi4py-tests) awk '/^seconds/ { sum += $3 } END { print sum }' ;;
  hpcc) echo 0 ;;
  esac
}

# ---- running

# launch native|planned COMMAND...
launch() {
  how=$1
  shift
  if [ "$place" = here ]; then
    set -- timeout $limit mpirun -n 4 "$@"
  else
    set -- "$tourney" lab run -n 16 --timeout 200 -- "$@"
  fi
  [ "$how" = native ] || set -- "$tourney" run --cluster "$cluster" $guard $algorithms --explain -- "$@"
  "$@" </dev/null
}

# run native|planned: all its command lines, in a folder of their own; leaves what it said and its facts.
run() {
  folder=$scratch/$1
  rm -rf "$folder"
  mkdir "$folder"
  cd "$folder"
  "input_$(echo "$program" | tr - _)" $sizes >commands
  : >said
  : >log
  while read -r line; do
    launch "$1" $line >>said 2>>log && continue
    tail -n 30 said log >&2
    fail "$1: $line failed"
  done <commands
  facts <said >facts
  [ -s facts ] || fail "$1: says nothing"
  cd "$source"
}

# From the tables of --explain: a row for each collective.
calls() {
  awk '/^tourney: collective calls/ { table = 1; next }
    !/^  [a-z]/ { table = 0; next }
    !table || $1 == "collective" || $1 == "trials" { next }
    { all[$1] += $2; if ($4 == "native") native[$1] += $2; else { planned[$1] += $2; any = 1 } }
    END {
      printf "  %-24s %8s %8s %8s\n", "collective (rank 0)", "calls", "planned", "native"
      for (name in all) printf "  %-24s %8d %8d %8d\n", name, all[name], planned[name], native[name] | "sort"
      close("sort")
      exit !any
    }' "$1"
}

same() {
  cmp -s "$scratch/facts" "$scratch/$1/facts" && return
  diff "$scratch/facts" "$scratch/$1/facts" >&2 || true
  fail "$1 says something else than the first native run"
}

median() {
  sort -g "$1" | awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'
}

case $program in
fft | spfft | fftw | scalapack | espresso | mpi4py | hpcc) ;;
# Its blocks have a few bytes each: only algorithms that are named serve them.
mpi4py-tests)
  [ "$place" = here ] || fail "runs with --here alone: on 16 ranks its calls are too many"
  limit=250
  algorithms=--algorithm=bcast=switch-circulant,allgather=switch-ordered-ring,alltoall=planned-phases,gather=linear,scatter=linear
  algorithms=$algorithms,reduce=binomial,allreduce=recursive-doubling,reducescatter=pairwise
  ;;
*) usage ;;
esac
[ "$place$program" != labhpcc ] || { rm -rf "$scratch"; exec "$source/examples/hpcc.sh" "$build" "$turns"; }
# Of images, of boxes, of FFTW's images; pw.x's cut-off in Ry and when it ends; calls from Python.
sizes='512 64 256 24 1.0d-2 2'
if [ "$place" = here ]; then
  turns=1 sizes='128 32 128 12 1.0d-6'
else
  "$tourney" lab up "$cluster" >/dev/null
  up=yes
fi
turn=0
while [ $turn -lt "$turns" ]; do
  for how in native planned; do
    run $how
    [ -f "$scratch/facts" ] || cp "$scratch/$how/facts" "$scratch/facts"
    same $how
    seconds <"$scratch/$how/said" >>"$scratch/$how.seconds"
    [ "$place" = here ] || echo "$how: $(tail -n 1 "$scratch/$how.seconds") s"
    ! grep '^FFTW transposes' "$scratch/$how/said" | sed "s/^/$how: /" || true
  done
  turn=$((turn + 1))
done
echo "$program: native and planned say the same, $(wc -l <"$scratch/facts") lines without times"
if [ "$place" = lab ]; then
  echo "$(median "$scratch/native.seconds") $(median "$scratch/planned.seconds")" |
    awk '{ printf "medians: native %s, planned %s: ratio %.2f\n", $1, $2, $1 / $2 }'
fi
calls "$scratch/planned/log" && exit
[ "$place" = lab ] || fail "no call was planned"
echo "no call was planned: the times are native ones"
