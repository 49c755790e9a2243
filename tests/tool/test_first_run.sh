#!/bin/sh
# docs/first-run.md, done: from nothing to a faster program by at most nine command lines, on eight plain machines, with Slurm, or
# from an InfiniBand fabric. The lab is the machines. The page's fenced blocks that follow `<!-- test: PATH -->` are that path's:
# lines that begin with "$ " are commands, those with "> " go on with one, the rest is output, which shows times and may differ.
# The blocks of `install` come before each path's; they are run where a fourth argument says so, and then everything may take
# ten minutes. The planned run must be faster than the native one, with the same checksum.
# TOURNEY_REGENERATE=1 writes what the commands print into the page; look at the difference then.
# usage: test_first_run.sh SOURCE BUILD machines|slurm|infiniband [install]
set -eu
support=$(cd "$(dirname "$0")" && pwd)/slurm_support
source=$(realpath "$1")
page=$source/docs/first-run.md build=$2 part=$3 install=${4-}
regenerate=${TOURNEY_REGENERATE:-}
fail() {
  echo "$*" >&2
  exit 1
}

# Slurm's own folder, and how it ends, are that file's.
clean_up() {
  :
}
case $part in
slurm) . "$support" ;;
infiniband)
  PATH=$PATH:/usr/sbin
  for needed in ibsim ibnetdiscover; do
    command -v $needed >/dev/null || { echo "skipped: no $needed (packages ibsim-utils, infiniband-diags)"; exit 77; }
  done
  [ -z "$(ls /sys/class/infiniband 2>/dev/null)" ] || { echo "skipped: this machine has InfiniBand of its own"; exit 77; }
  ;;
esac
unshare --net true 2>/dev/null || unshare --user --map-root-user --net true 2>/dev/null || {
  echo "skipped: no permission to make network namespaces here"
  exit 77
}
scratch=$(mktemp -d)
play=$scratch/play
mkdir "$play" "$scratch/bin"
TOURNEY_LAB=first$$ TOURNEY_SITE=
export TOURNEY_LAB TOURNEY_SITE
unset LD_PRELOAD TOURNEY_CLUSTER TOURNEY_ALGORITHM TOURNEY_LINK TOURNEY_TRUNK TOURNEY_MAP TOURNEY_EXPLAIN
ends=
end() {
  code=$?
  for one in $ends; do $one >/dev/null 2>&1 || true; done
  clean_up
  rm -rf "$scratch"
  exit "$code"
}
trap end EXIT
trap 'exit 130' INT TERM
[ -n "$install" ] || ln -s "$build" "$play/build"

# --- what stands in for the machines ---

# The lab's hosts n1 to n8, whose ssh is the lab's way to another host. What the lab sets for MPIs' programs by itself is set here:
# eight hosts share the processors of one machine.
machines_up() {
  cat >"$scratch/lab.dot" <<'END'
graph { edge [bandwidth="20Mbit/s"]; switch1 -- "n[1-4]"; switch2 -- "n[5-8]"; switch1 -- switch2 }
END
  "$build/tourney" lab up "$scratch/lab.dot"
  ends="lab_down $ends"
  cat >"$scratch/bin/ssh" <<END
#!/bin/sh
while case \$1 in -*) true ;; *) false ;; esac do shift; done
exec "$build/tourney" lab agent "\$@"
END
  chmod +x "$scratch/bin/ssh"
  export OMPI_MCA_plm_rsh_agent="$scratch/bin/ssh" OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=eth0 \
    OMPI_MCA_oob_tcp_if_include=eth0 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none \
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}
lab_down() {
  "$build/tourney" lab down
}

# Slurm on these machines.
slurm_up() {
  machines_up
  slurm_on() {
    local node="$1"
    shift
    exec "$build/tourney" lab exec "$node" -- "$@"
  }
  cat >topology.conf <<'END'
SwitchName=switch1 Nodes=n[1-4]
SwitchName=switch2 Nodes=n[5-8]
SwitchName=core Switches=switch[1-2]
END
  # Each node's PMIx has a folder of the job's name in TmpFS.
  nodes="n1 n2 n3 n4 n5 n6 n7 n8" controller=n1
  for node in $nodes; do mkdir "tmp.$node"; done
  slurm_starts "TmpFS=$folder/tmp.%n
TopologyPlugin=topology/tree
NodeName=n[1-8] CPUs=1 State=UNKNOWN" $nodes
  srun --mpi=list 2>&1 | grep -q pmix || { echo "skipped: no pmix (package slurm-wlm-basic-plugins)"; exit 77; }
}

# A simulated fabric of ibsim's, which ibnetdiscover finds; its file is the one in tests/clusters, with widths and speeds as ibsim
# has them.
infiniband_up() {
  preload=$(find /usr/lib -name libumad2sim.so 2>/dev/null | head -n 1)
  IBSIM_SOCKNAME=$TOURNEY_LAB
  export IBSIM_SOCKNAME
  sed -e 's/ s=.*//' -e 's/ 4xQDR$/ w=2 s=4/' "$source/tests/clusters/infiniband/good/fat_tree.topo" >"$scratch/net"
  ibsim -s -n "$scratch/net" >"$scratch/ibsim.log" 2>&1 &
  ends="lab_down ibsim_ends" simulator=$!
  printf '#!/bin/sh\nLD_PRELOAD=%s exec %s "$@" 2>/dev/null\n' "$preload" "$(command -v ibnetdiscover)" >"$scratch/bin/ibnetdiscover"
  chmod +x "$scratch/bin/ibnetdiscover"
  tries=0
  until grep -q ready "$scratch/ibsim.log"; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || fail "ibsim doesn't begin: $(tail -n 3 "$scratch/ibsim.log")"
    sleep 0.1
  done
}
ibsim_ends() {
  kill "$simulator"
  wait "$simulator"
}

# --- the page, played ---

# run COMMAND: in the folder that the last one ended in.
run() {
  on=
  case $kind in machines | slurm) on="$build/tourney lab exec n1 --" ;; esac
  (cd "$at" && PATH=$scratch/bin:$PATH $on sh -c 'eval "$1" && pwd >"$2"' sh "$1" "$scratch/at") || return
  at=$(cat "$scratch/at")
}

at=$play
# Is a block of this kind ours to run?
wanted() {
  [ "$1" = "$part" ] || { [ -n "$install" ] && [ "$1" = install ]; }
}

# Runs the command that has been read. Its output takes the place of the page's where that is to be written anew.
play_command() {
  [ -n "$command" ] || return 0
  if [ "$kind" = "$part" ] && [ -z "$is_up" ]; then
    is_up=yes build=$(realpath "$at/build")
    "${part}_up" >&2 </dev/null
  fi
  echo "$command" >&2
  count=$((count + 1))
  run "$command" >"$scratch/got" 2>"$scratch/err" </dev/null || fail "exit code $?: $(cat "$scratch/got" "$scratch/err")"
  sed '/^row [0-9]* of [0-9]*:/d' "$scratch/err" >>"$scratch/got" # a bench's progress
  cat "$scratch/got" >>"$scratch/all"
  command=
  [ -z "$regenerate" ] || { keep='' && sed "s/$TOURNEY_LAB/lab/g" "$scratch/got"; }
}

command='' kind='' inside='' keep=yes is_up='' count=0
replay() {
  while IFS= read -r line; do
    case $inside:$line in
    ':<!-- test: '*) kind=${line#<!-- test: } kind=${kind% -->} ;;
    ':```'*) inside=yes keep=yes ;;
    'yes:```')
      play_command
      inside='' kind=''
      ;;
    'yes:$ '*)
      play_command
      ! wanted "$kind" || command=${line#\$ }
      ;;
    'yes:> '*) [ -z "$command" ] || command="$command
${line#> }" ;;
    yes:*)
      play_command
      [ -n "$keep" ] || continue
      ;;
    esac
    printf '%s\n' "$line"
  done
}

most=9
commands=$(awk -v part="$part" '
  /^<!-- test: / { wanted = $3 == "install" || $3 == part }
  /^```$/ { wanted = 0 }
  wanted && /^\$ / { count++ }
  END { print count + 0 }' "$page")
[ "$commands" -le $most ] || fail "$page: the path of $part has $commands commands, more than $most"

: >"$scratch/all"
begin=$(date +%s)
replay <"$page" >"$scratch/page"
took=$(($(date +%s) - begin))
[ $count -gt 3 ] || fail "$page has no commands for $part"
[ -z "$regenerate" ] || cp "$scratch/page" "$page"
awk -v commands="$commands" -v most=$most -v took=$took '
  $1 == "frames/s" { rate[++runs] = $2 }
  $1 == "checksum" { sum[runs] = $2 }
  END {
    if (runs != 2 || rate[2] <= rate[1]) { printf "native %s frames/s, planned %s: not faster\n", rate[1], rate[2]; exit 1 }
    if (sum[1] == "" || sum[1] != sum[2]) { printf "checksums %s and %s differ\n", sum[1], sum[2]; exit 1 }
    printf "%d command lines of %d in %d s; native %s frames/s, planned %s: ratio %.2f\n", commands, most, took,
      rate[1], rate[2], rate[2] / rate[1]
  }' "$scratch/all" >&2
[ -z "$install" ] || [ $took -le 600 ] || fail "more than ten minutes"
