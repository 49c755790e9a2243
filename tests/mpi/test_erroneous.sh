#!/bin/sh
# Makes erroneous calls twice, without the runtime and with it: what each rank says must be the same, word for word.
# usage: test_erroneous.sh PROGRAM LIBRARY     (LIBRARY: what LD_PRELOAD gets, the runtime last)
# With TOURNEY_SAMPLE=n in the environment, every n-th of them.
set -eu
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
program=$1
library=$2
. "$(dirname "$0")/../support/mpi_support"
. "$(dirname "$0")/../support/sample"
export TOURNEY_GUARD=0 # so that calls are planned, not tried
cluster=switches:3+3
ranks=5
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
failures=0
relayed=
is_mpich=
[ "${TOURNEY_TEST_MPI:-openmpi}" != mpich ] || is_mpich=1

# say NAME ARGUMENTS...: what the ranks say, with the runtime if NAME is "planned"
say() {
  name=$1
  shift
  if [ "$name" = planned ]; then
    set -- -x LD_PRELOAD="$library" -x TOURNEY_CLUSTER="$cluster" -x TOURNEY_MAP=block "$program" "$@"
  else
    set -- "$program" "$@"
  fi
  timeout -k 5 200 mpirun -np "$ranks" -x ASAN_OPTIONS "$@" 2>"$said/errors-$name" | grep "^rank " | sort >"$said/$name" ||
    true
}

# both ARGUMENTS...: native and planned, at the same time
both() {
  say native "$@" &
  say planned "$@"
  wait
}

# compare WHAT: the two lists
compare() {
  [ -z "$relayed" ] || sed -i 's/MPI_ERR_OTHER/MPI_ERR_TRUNCATE/g' "$said/native"
  if [ -s "$said/native" ] && cmp -s "$said/native" "$said/planned"; then
    echo "the same: $1"
    return
  fi
  failures=$((failures + 1))
  echo "different: $1"
  diff "$said/native" "$said/planned" || true
  cat "$said"/errors-*
}

# all ARGUMENTS...: every rank comes out of it, and out of the right call after it, and all say the same
all() {
  is_sampled || return 0
  both 60 "$@"
  if [ "$(grep -c "; handler called" "$said/native")" -ne $((2 * ranks)) ]; then
    failures=$((failures + 1))
    echo "native doesn't come out of: $*"
  fi
  compare "$*"
}

# passed_on ARGUMENTS...: as all, for a broadcast that doesn't fit. MPICH tells a rank MPI_ERR_OTHER where the one from which it gets
# the broadcast got less than it wanted, so who gets which depends on who relays.
passed_on() {
  relayed=$is_mpich
  all "$@"
  relayed=
}

# crash ARGUMENTS...: some ranks crash, whichever are the first
crash() {
  is_sampled || return 0
  both 20 "$@"
  for name in native planned; do
    sed -i 's/^rank [0-9]*: crashes in .*/a rank crashes/; /^rank /d' "$said/$name"
    sort -u -o "$said/$name" "$said/$name"
  done
  compare "$* (crash)"
}

# alone COLLECTIVE FAULT RANK: only that rank errs, and is told the same; what the others do isn't compared
alone() {
  is_sampled || return 0
  both 3 "$@"
  for name in native planned; do
    sed -i "/^rank $3: the erroneous call/!d" "$said/$name"
  done
  compare "$* (the erring rank)"
}

# truncated ALGORITHM COLLECTIVE FAULT RANK: a message of the plan is too long for the rank, which is told; as the plan goes on, all the
# others come out of it, and out of the right call after it, where native ones may hang
truncated() {
  is_sampled || return 0
  TOURNEY_ALGORITHM=$1
  export TOURNEY_ALGORITHM
  say planned 20 "$2" "$3" $([ "$2" != alltoall ] || echo "$4")
  unset TOURNEY_ALGORITHM
  erring="rank $4: the erroneous call: MPI_ERR_TRUNCATE; handler called 1 times with MPI_ERR_TRUNCATE"
  if [ "$(grep -c ": success; " "$said/planned")" -eq $((2 * ranks - 1)) ] && grep -qx "$erring" "$said/planned"; then
    echo "all come out of it: $2 $3"
    return
  fi
  failures=$((failures + 1))
  echo "not all come out of: $2 $3"
  cat "$said/planned" "$said"/errors-*
}

# again COLLECTIVE FAULT RANK: that rank makes the erroneous call before each right one, and the guard counts as at the others
again() {
  is_sampled || return 0
  unset TOURNEY_GUARD
  cluster=switches:3+3,link=20Mbit/s
  both 20 "$1" "again:$2" "$3"
  export TOURNEY_GUARD=0
  cluster=switches:3+3
  compare "$1 $2, again and again"
}

# once COLLECTIVE FAULT RANK: with the guard, that rank alone errs at first, in a way that only messages show; the calls after it count at
# all ranks as if nothing had been
once() {
  is_sampled || return 0
  unset TOURNEY_GUARD
  cluster=switches:3+3,link=20Mbit/s
  say planned 20 "$1" "once:$2" "$3"
  export TOURNEY_GUARD=0
  cluster=switches:3+3
  if [ "$(grep -c ": a right call: success; " "$said/planned")" -ge $((12 * ranks)) ] && ! grep -q "hangs in" "$said/planned"; then
    echo "all go on: $1 $2, once"
    return
  fi
  failures=$((failures + 1))
  echo "not all go on: $1 $2, once"
  cat "$said/planned" "$said"/errors-*
}

# What Open MPI dies of, MPICH finds.
null=crash
[ -z "$is_mpich" ] || null=all
for collective in bcast allgather alltoall; do
  for fault in none bottom uncommitted-receive no-receive-type negative-receive; do
    all "$collective" "$fault"
  done
  "$null" "$collective" null-receive
done
for collective in allgather alltoall; do
  for fault in in-place-receive uncommitted-send no-send-type negative-send short-send long-send; do
    all "$collective" "$fault"
  done
  "$null" "$collective" null-send
done
if [ -z "$is_mpich" ]; then
  all bcast in-place-receive
else
  crash bcast in-place-receive
fi

# A broadcast's receivers with other counts than its root: all of them, or one.
all bcast bad-root
all bcast no-handle # in the others, native crashes
for count in 20000 39999; do
  passed_on bcast receive-count=$count
done
for count in 40001 80000 120000; do
  all bcast receive-count=$count
done
passed_on bcast root-count=120000
all bcast receive-count=20000 3
all bcast triples=20000
passed_on bcast triples=10000
all bcast triples=20000 4

# One rank alone: where native lets the others come out of it, so must the runtime. After the second, MPICH's own next broadcast
# fails at a rank that didn't err.
all allgather short-send 1
if [ -z "$is_mpich" ]; then
  all allgather uncommitted-receive 1
  all bcast receive-count=80000 2
else
  alone allgather uncommitted-receive 1
  alone bcast receive-count=80000 2
fi
alone bcast uncommitted-receive 0
alone bcast no-receive-type 2
alone allgather no-send-type 1
alone alltoall uncommitted-send 2

# Ranks that gave different counts: only the messages show it.
alone allgather counts=39999 2
again bcast bad-root 1
again alltoall uncommitted-send 2
again gatherv bad-root 1
again gatherv bad-root 0
once alltoall counts=39999 2
truncated alltoall=message-passing alltoall counts=39999 2
truncated gather=linear gatherv room=3000 0
truncated scatter=linear scatterv room=3000 1
echo "$failures differ"
[ "$failures" -eq 0 ]
