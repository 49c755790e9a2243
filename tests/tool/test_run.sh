#!/bin/sh
# tourney run: what it hands to each kind of launcher, and what it refuses before anything starts.
# Usage: test_run.sh TOURNEY OPENMPI_PROGRAM MPICH_PROGRAM     (PROGRAM: mpi/entry_points.c)
set -eu
tool=$(realpath "$1") openmpi_program=$(realpath "$2") mpich_program=$(realpath "$3")
runtime=$(dirname "$tool")/libtourney_openmpi.so
. "$(dirname "$0")/tool_support"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unset LD_PRELOAD TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_EXPLAIN TOURNEY_MAP TOURNEY_PROVE TOURNEY_GUARD TOURNEY_LEARN TOURNEY_RECORD TOURNEY_MARK TOURNEY_ORIGIN \
  TOURNEY_LINK TOURNEY_TRUNK SLURM_JOB_ID SLURM_JOB_NODELIST SLURM_NODELIST
export TOURNEY_SITE=

# A launcher that says how it was called and what it was told; it must not load what it hands on.
mkdir bin
cat > bin/mpirun <<'EOF'
#!/bin/sh
echo "called:" "$@"
echo "preload here: ${LD_PRELOAD-}"
echo "cluster: ${TOURNEY_CLUSTER-}"
echo "algorithm: ${TOURNEY_ALGORITHM-}"
echo "explain: ${TOURNEY_EXPLAIN-}"
echo "origin: ${TOURNEY_ORIGIN-}"
exit 7
EOF
cp bin/mpirun bin/some_script
cp bin/mpirun bin/tourney
chmod +x bin/*

# run EXIT_CODE ARGUMENT...: its output is in the files out and err
run() {
  code=$1
  shift
  expect "$code" run "$@"
}

empty() {
  [ ! -s "$1" ] || { echo "expected nothing in $1"; cat "$1"; faults=1; }
}

# mpirun gets -x for what the ranks need, right behind its name; exit code and output are its own.
run 7 --cluster single:4,link=20Mbit/s --algorithm alltoall=shuffle,bcast=native --explain \
  -- bin/mpirun -n 4 ./app -x
says out "called: -x LD_PRELOAD=$runtime -x TOURNEY_CLUSTER -x TOURNEY_ALGORITHM -x TOURNEY_EXPLAIN -x TOURNEY_MARK -x TOURNEY_ORIGIN -n 4 ./app -x"
says out "cluster: single:4,link=20Mbit/s"
says out "algorithm: alltoall=shuffle,bcast=native"
says out "explain: 1"
grep -q -x "preload here: " out || { echo "mpirun itself must not preload"; faults=1; }
empty err

run 7 --prove -- bin/mpirun ./app
says out "called: -x LD_PRELOAD=$runtime -x TOURNEY_PROVE -x TOURNEY_MARK -x TOURNEY_ORIGIN ./app"

run 7 --no-guard -- bin/mpirun ./app
says out "called: -x LD_PRELOAD=$runtime -x TOURNEY_GUARD -x TOURNEY_MARK -x TOURNEY_ORIGIN ./app"
run 7 --learn a/file -- bin/mpirun ./app
says out "called: -x LD_PRELOAD=$runtime -x TOURNEY_LEARN -x TOURNEY_MARK -x TOURNEY_ORIGIN ./app"
run 7 --record a/file -- bin/mpirun ./app
says out "called: -x LD_PRELOAD=$runtime -x TOURNEY_RECORD -x TOURNEY_MARK -x TOURNEY_ORIGIN ./app"

# What isn't set isn't passed on: mpirun would warn.
run 7 -- bin/mpirun ./app
says out "called: -x LD_PRELOAD=$runtime -x TOURNEY_MARK -x TOURNEY_ORIGIN ./app"

# Each program of a command with several has an -x list of its own.
run 7 -- bin/mpirun -n 1 ./a : -n 2 ./b
says out "called: -x LD_PRELOAD=$runtime -x TOURNEY_MARK -x TOURNEY_ORIGIN -n 1 ./a : -x LD_PRELOAD=$runtime -x TOURNEY_MARK -x TOURNEY_ORIGIN -n 2 ./b"

# The user's own preloads stay, by the environment and by -x.
: >theirs
LD_PRELOAD=$folder/theirs run 7 -- bin/mpirun ./app 2>/dev/null
says out "called: -x LD_PRELOAD=$runtime:$folder/theirs -x TOURNEY_MARK -x TOURNEY_ORIGIN ./app"
run 7 -- bin/mpirun -x LD_PRELOAD=theirs.so -x LD_PRELOADED -n 2 ./app
says out "-x LD_PRELOAD=$runtime:theirs.so -x LD_PRELOADED -n 2 ./app"

# A launcher that we don't know, and the program itself, get it by their environment.
run 7 --cluster single:4 -- bin/some_script -n 4 ./app
says out "called: -n 4 ./app"
says out "preload here: $runtime"
says out "cluster: single:4"

# lab run passes it on by itself.
run 7 --cluster single:4 -- bin/tourney lab run -n 4 -- ./app
says out "called: lab run -n 4 -- ./app"
says out "cluster: single:4"
grep -q -x "preload here: " out || { echo "lab run must not preload"; faults=1; }
run 0 -- tourney --version
says out "tourney "

# Files: any other form goes over as flat text, a flat file by its absolute path.
cat > pair.gv <<'EOF'
graph pair { edge [bandwidth="1Gbit/s"]; s0 -- "n[0-2]" }
EOF
run 7 --cluster pair.gv -- bin/mpirun ./app
says out "cluster: cluster 1 "
awk '/^cluster: /{sub(/^cluster: /, ""); on=1} /^algorithm: /{on=0} on && NF' out > pair.flat
run 7 --cluster pair.flat -- bin/mpirun ./app
says out "cluster: $folder/pair.flat"
TOURNEY_CLUSTER=pair.flat run 7 -- bin/mpirun ./app
says out "cluster: $folder/pair.flat"
flat=$(cat pair.flat; echo .)
flat=${flat%.}
run 7 --cluster "$flat" -- bin/mpirun ./app
says out "cluster: cluster 1 "

# Too large for the environment: how to do it instead.
echo 'graph big { edge [bandwidth="1Gbit/s"]; s0 -- "a_host_of_a_long_and_proper_name[0000-2999]" }' >big.gv
run 2 --cluster big.gv -- bin/mpirun ./app
says err "tourney topology flat big.gv > FILE"
empty out

# Where none is given, one is found: the site's file, then Slurm's topology cut down to the job's hosts; else the ranks
# are told what to say.
run 7 -- bin/mpirun ./app
says out "origin: no cluster is given, and none is found: let 'tourney discover' measure it, or describe it in a file, for --cluster or for all as /etc/tourney/cluster.dot"
grep -q -x "cluster: " out || { echo "a cluster from nowhere"; cat out; faults=1; }
run 7 --cluster single:4 -- bin/mpirun ./app
says out "origin: --cluster"
TOURNEY_CLUSTER=single:4 run 7 -- bin/mpirun ./app
says out "origin: TOURNEY_CLUSTER"
run 7 -- bin/tourney lab run -- ./app
says out "origin: the lab"
TOURNEY=0 run 7 -- bin/mpirun ./app
grep -q -x "origin: " out || { echo "switched off, nothing is looked for"; cat out; faults=1; }

cat >bin/scontrol <<'EOF'
#!/bin/sh
[ "$*" = "show topology" ] || exit 1
echo "scontrol: a warning" >&2
cat "$TOPOLOGY"
EOF
chmod +x bin/scontrol
cat >topology <<'EOF'
SwitchName=leaf0 Level=0 LinkSpeed=1 Nodes=n[0-3]
SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[4-7]
SwitchName=spine Level=1 LinkSpeed=1 Nodes=n[0-7] Switches=leaf[0-1]
EOF
echo "No topology information available" >none
export TOPOLOGY=topology
in_job() {
  PATH=$folder/bin:$PATH SLURM_JOB_ID=1 SLURM_JOB_NODELIST=$nodes run 7 "$@"
}
nodes='n[2-3,5]'
in_job --link 25Gbit/s --trunk 100Gbit/s -- bin/mpirun ./app
says out "origin: Slurm (scontrol show topology), hosts' links 25Gbit/s (--link), those between switches 100Gbit/s (--trunk)"
says out "cluster: cluster 1 slurm"
[ "$(grep -c '^host ' out)" -eq 3 ] && [ "$(grep -c '^switch ' out)" -eq 3 ] || { echo "not the job's part"; cat out; faults=1; }
says out "cable leaf0 n2 25000000000 "
says out "cable spine leaf1 100000000000 "
nodes='n[4-6]'
TOURNEY_LINK=1Gbit/s in_job -- bin/mpirun ./app
says out "origin: Slurm (scontrol show topology), hosts' links 1Gbit/s (TOURNEY_LINK)"
[ "$(grep -c '^switch ' out)" -eq 1 ] || { echo "more switches than leaf1"; cat out; faults=1; }
nodes='n[6-8]'
TOURNEY_LINK=1Gbit/s in_job -- bin/mpirun ./app
says out "origin: no cluster is given, and Slurm's can't be used: slurm: it has no host n8, which is asked for; or let 'tourney discover' measure it"
TOURNEY_LINK=fast in_job -- bin/mpirun ./app
says out "origin: no cluster is given, and Slurm's can't be used: TOURNEY_LINK: \"fast\" is no bandwidth"
TOPOLOGY=none in_job --link 1Gbit/s -- bin/mpirun ./app
says out "Slurm knows of no topology here (TopologyPlugin is none or flat)"
TOPOLOGY=missing in_job --link 1Gbit/s -- bin/mpirun ./app
says out "'scontrol show topology' isn't there or has no answer"
cp bin/mpirun bin/srun
PATH=$folder/bin:$PATH run 7 --link 1Gbit/s -- srun -n 4 ./app
[ "$(grep -c '^host ' out)" -eq 8 ] || { echo "srun has yet to choose among all hosts"; cat out; faults=1; }

mkdir site
printf '# of our network\nlink 10Gbit/s\n  trunk   40Gbit/s\r\n' >site/rates
export TOURNEY_SITE=site
nodes='n[2-5]'
in_job -- bin/mpirun ./app
says out "hosts' links 10Gbit/s (site/rates), those between switches 40Gbit/s (site/rates)"
in_job --link 1Gbit/s -- bin/mpirun ./app
says out "hosts' links 1Gbit/s (--link), those between switches 40Gbit/s (site/rates)"
printf 'link 10Gbit/s\nlatency 1us\n' >site/rates
in_job -- bin/mpirun ./app
says out "can't be used: site/rates:2: expected a line \"link RATE\""
printf 'link 10\n' >site/rates
in_job -- bin/mpirun ./app
says out "can't be used: site/rates:1: the bandwidth \"10\" has no unit"
cp pair.gv site/cluster.dot
in_job --link 1Gbit/s -- bin/mpirun ./app
says out "origin: the site's file site/cluster.dot"
says out "cluster: cluster 1 site/cluster.dot"
TOURNEY_CLUSTER=single:4 in_job -- bin/mpirun ./app
says out "cluster: single:4"
printf 'graph {\n s0 -- n0 -' >site/cluster.dot
run 7 -- bin/mpirun ./app
says out "origin: the site's cluster can't be used: site/cluster.dot:2: no Graphviz graph: syntax error"
export TOURNEY_SITE=
rm bin/srun bin/scontrol

# Refused before anything starts.
for rate in fast 0Gbit/s; do
  run 2 --link $rate -- bin/mpirun ./app
  says err "--link: "
done
echo 'graph {' >broken.gv
for cluster in broken.gv no_such_file.gv single:none 'cluster 1 nonsense'; do
  run 2 --cluster "$cluster" -- bin/mpirun ./app
  says err "tourney: "
  empty out
done
run 2 --algorithm alltoall=wednesday -- bin/mpirun ./app
says err "alltoall has no algorithm 'wednesday'; it has: native, "
says err "shuffle"
empty out
run 2 --algorithm gather=ring -- bin/mpirun ./app
says err "gather"
run 2 --algorithm shuffle -- bin/mpirun ./app
says err "COLLECTIVE=NAME"
run 2 --algorithm alltoall=shuffle, -- bin/mpirun ./app
TOURNEY_ALGORITHM=alltoall=wednesday run 2 -- bin/mpirun ./app
says err "alltoall has no algorithm 'wednesday'"
TOURNEY_ALGORITHM=shuffle run 2 -- bin/mpirun ./app
says err "TOURNEY_ALGORITHM wants COLLECTIVE=NAME"
empty out
TOURNEY_ALGORITHM=alltoall=shift run 7 -- bin/mpirun ./app
says out "algorithm: alltoall=shift"
run 2 --nonsense -- bin/mpirun ./app
says err "--nonsense"
run 2 --cluster
says err "wants a value"
run 2
says err "no command given"
run 0 --help
says out "usage: tourney run"

# Missing programs.
PATH=/nonexistent run 3 -- mpirun -n 2 ./app
says err "openmpi-bin"
run 3 -- ./no_such_program
says err "./no_such_program"

# MPICH's launcher: by its name, by what it is a link to, by what it says of itself. It hands on its environment, but what
# is preloaded is the ranks' alone.
mpich=$(dirname "$tool")/libtourney_mpich.so
mkdir mpich
cat > mpich/mpiexec.hydra <<'EOF'
#!/bin/sh
[ "$1" != --version ] || exec echo "HYDRA build details:"
echo "called:" "$@"
echo "preload here: ${LD_PRELOAD-}"
exit 7
EOF
cp mpich/mpiexec.hydra bin/mpiexec
chmod +x mpich/mpiexec.hydra bin/mpiexec
ln -s mpich/mpiexec.hydra mpirun
for launcher in mpich/mpiexec.hydra ./mpirun bin/mpiexec; do
  run 7 -- $launcher -n 2 ./app
  says out "called: -genv LD_PRELOAD $mpich -n 2 ./app"
  grep -q -x "preload here: " out || { echo "mpiexec itself must not preload"; faults=1; }
  empty err
done
PATH=$folder:$PATH run 7 -- mpirun -n 2 ./app
says out "called: -genv LD_PRELOAD $mpich -n 2 ./app"

# The MPI is the program's: among the launcher's words, behind env, in a script.
for mpi in openmpi mpich; do
  program=$(dirname "$tool")/tourney-bench-ranks-$mpi
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >script
  chmod +x script
  for command in "bin/some_script $program" "bin/some_script env A=1 $program" "bin/some_script ./script" \
    "bin/some_script time -p $program" "bin/some_script numactl --all taskset 1 ./script" \
    "bin/some_script gdb --args $program 1" "bin/some_script valgrind -q env -i nice ./script"; do
    run 7 -- $command
    says out "preload here: $(dirname "$tool")/libtourney_$mpi.so"
    empty err
  done
done
# A Python: by mpi4py, whatever it runs.
if mpi4py=$(/usr/bin/python3 -c 'import importlib.util as u; print(u.find_spec("mpi4py.MPI").origin)' 2>/dev/null); then
  mpi=openmpi
  ! ldd "$mpi4py" | grep -q libmpich || mpi=mpich
  printf '#!/usr/bin/env python3\nimport mpi4py.MPI\n' >script.py
  chmod +x script.py
  for command in "bin/some_script /usr/bin/python3 -m some.module" "bin/some_script /usr/bin/python3 some.py" \
    "bin/some_script ./script.py" "bin/some_script time env A=1 /usr/bin/python3 -u some.py"; do
    PATH=/usr/bin:$PATH run 7 -- $command
    says out "preload here: $(dirname "$tool")/libtourney_$mpi.so"
    empty err
  done
else
  echo "not tried: a Python program (package python3-mpi4py)"
fi
# None, a third one, one that is linked statically: one line says so.
run 7 -- bin/some_script ./app
says err "no MPI is to be seen"
if command -v gcc >/dev/null; then
  initialise='int PMPI_Init(int *argc, char ***argv); int PMPI_Init(int *argc, char ***argv) { return argc == (int *)argv; }'
  main='int main(void) { return 7; }'
  echo "$initialise" | gcc -shared -fPIC -Wl,-soname,libmpi.so.12 -x c - -o libmpi.so.12
  echo "$main" | gcc -x c - -x none -Wl,--no-as-needed ./libmpi.so.12 -Wl,-rpath,"$folder" -o third
  echo "$initialise $main" | gcc -x c - -o static
  run 7 -- ./third
  says err "third uses libmpi.so.12 (Intel MPI, MVAPICH, or an MPICH of its own build), which there is no runtime for"
  run 7 -- ./static
  says err "static is linked with its MPI statically"
else
  echo "not tried: a third MPI and a static one (package gcc)"
fi
rm -rf mpich mpirun bin/mpiexec

# A path that LD_PRELOAD can't take.
for name in 'a b' 'a:b' 'a	b' 'a
b'; do
  mkdir "$name"
  cp "$tool" "$name/tourney"
  : >"$name/libtourney_openmpi.so"
  got=0
  "./$name/tourney" run -- bin/mpirun ./app >out 2>err || got=$?
  [ "$got" -eq 3 ] || { echo "a runtime in '$name': exit code $got, not 3"; faults=1; }
  says err "can't be preloaded"
  empty out
  rm -r "$name"
done

# A tool without its library.
mkdir alone
cp "$tool" alone/tourney
if ./alone/tourney run -- bin/mpirun ./app >out 2>err; then
  echo "a tool without its library must fail"
  faults=1
fi
says err "libtourney_openmpi.so"

# Where a command ended well and no rank had the runtime, one line says so; and what is left of that is nothing.
export XDG_CACHE_HOME="$folder/cache"
mkdir cache
missed="tourney run: no rank reported that it has the runtime"
printf '#!/bin/sh\necho launched\nexit ${1-0}\n' >bin/launch
printf '#!/bin/sh\necho + >"$TOURNEY_MARK"\n' >bin/mark
printf '#!/bin/sh\nkill -USR1 $$\n' >bin/hit
printf '#!/bin/sh\ntrap "exit 5" TERM\necho waiting\nsleep 20 &\nwait $!\n' >bin/wait
chmod +x bin/*
run 0 -- bin/launch
says err "$missed"
[ "$(grep -c "$missed" err)" -eq 1 ] || { echo "not one line"; faults=1; }
run 0 -- bin/mark
! grep "$missed" err || { echo "a rank had it"; faults=1; }
run 0 -- "$tool" run -- bin/launch
[ "$(grep -c "$missed" err)" -eq 1 ] || { echo "not one line of two that look out"; faults=1; }
TOURNEY=0 run 0 -- bin/launch
! grep "$missed" err || { echo "it is switched off"; faults=1; }
run 9 -- bin/launch 9
! grep "$missed" err || { echo "a command that failed has said so itself"; faults=1; }
# Exit codes and signals are the command's.
run 138 -- bin/hit
"$tool" run -- bin/wait >out 2>err &
waits=$!
until grep -q waiting out; do sleep 0.1; done
kill $waits
got=0
wait $waits || got=$?
[ $got -eq 5 ] || { echo "SIGTERM: exit code $got, not 5"; faults=1; }
[ -z "$(ls cache)" ] || { echo "left:" cache/*; faults=1; }

# The real thing, where there is MPICH's mpiexec.
if command -v mpiexec.mpich >/dev/null; then
  TOURNEY_MAP=block run 0 --cluster switches:2+2 --algorithm alltoall=shuffle --explain -- \
    mpiexec.mpich -n 4 "$(dirname "$tool")/tourney-bench-ranks-mpich" --repeat 1 --collective alltoall --bytes 20000
  says out "sample alltoall 20000 planned shuffle"
  says err "shuffle"
  ! grep "$missed" err || faults=1
  # Bundles, as the runtime reads them.
  printf 'graph {\n s0 -- "n[0-1]" [cables=2, spread=packet]\n s1 -- "n[2-3]"\n s0 -- s1 [cables=4, spread=flow]\n}\n' \
    >bundles.gv
  TOURNEY_MAP=block run 0 --cluster bundles.gv --algorithm alltoall=shuffle --explain -- \
    mpiexec.mpich -n 4 "$(dirname "$tool")/tourney-bench-ranks-mpich" --repeat 1 --collective alltoall --bytes 20000
  says out "sample alltoall 20000 planned shuffle"
  run 0 -- mpiexec.mpich -n 4 env -u LD_PRELOAD "$mpich_program" mmmm
  says err "$missed"
else
  echo "not tried: MPICH's mpiexec (package mpich)"
fi

# --environment: the variables, and nothing runs; or why there are none.
shown() {
  run 0 --environment "$@"
  tr '\0' '\n' <out >shown
}
LD_PRELOAD= shown --cluster single:4 --explain --no-guard -- "$openmpi_program" mmmm
printf '%s\n' "TOURNEY_PRELOAD=$runtime" TOURNEY_CLUSTER=single:4 TOURNEY_EXPLAIN=1 TOURNEY_GUARD=0 TOURNEY_ORIGIN=--cluster |
  cmp - shown || { cat shown; faults=1; }
empty err
shown -- env A=1 "$mpich_program" mmmm
says shown "TOURNEY_PRELOAD=${runtime%_openmpi.so}_mpich.so"
# none REASON ARGUMENT...
none() {
  reason=$1
  shift
  shown "$@"
  empty out
  says err "$reason"
}
none "tourney run: no MPI is to be seen in 'hostname' here" -- hostname
none "bin/mpirun starts ranks by itself" -- bin/mpirun "$openmpi_program"
printf '#!/bin/sh\n%s/bin/mpirun -n 4 "%s"\n' "$folder" "$openmpi_program" >bin/job
chmod +x bin/job
none "bin/mpirun starts ranks by itself" -- bin/job
none "tourney says by itself what its ranks get" -- "$tool" run -- "$openmpi_program"
none "bin/tourney-ranks says by itself what its ranks get" -- bin/tourney-ranks
TOURNEY=0 shown -- "$openmpi_program" mmmm
empty out
run 2 --environment --cluster nonsense:4 -- "$openmpi_program" mmmm
empty out

# The real thing, where there is an mpirun: the ranks have the runtime, and it explains itself.
if command -v mpirun >/dev/null; then
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1
  export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
  export OMPI_MCA_mpi_yield_when_idle OMPI_MCA_rmaps_base_oversubscribe
  TOURNEY_MAP=block run 0 --cluster switches:2+2 --algorithm alltoall=shuffle --explain -- \
    mpirun -n 4 "$(dirname "$tool")/tourney-bench-ranks-openmpi" --repeat 1 --collective alltoall --bytes 20000
  says out "sample alltoall 20000 planned shuffle"
  says err "shuffle"
  ! grep "$missed" err || faults=1
  for drop in "env -u LD_PRELOAD" "env LD_PRELOAD= nice"; do
    run 0 -- mpirun -n 4 $drop "$openmpi_program" mmmm
    says err "$missed"
  done
  printf '#!/bin/sh\nunset LD_PRELOAD\nexec %s "$@"\n' "$(command -v mpirun)" >bin/own
  chmod +x bin/own
  run 0 -- bin/own -n 4 "$openmpi_program" mmmm
  says err "$missed"
else
  echo "not tried: a real mpirun (package openmpi-bin)"
fi
exit $faults
