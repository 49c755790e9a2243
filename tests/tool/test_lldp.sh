#!/bin/sh
# What a real lldpd tells is imported: of two hosts on each of two leaves and a spine with two cables to each leaf, all of
# them network namespaces of this script's own, which end with it. Needs root, lldpd, lldpcli and ip; skips without.
# usage: test_lldp.sh BUILD [FOLDER]: leaves what lldpcli printed in FOLDER
set -eu
self=$(readlink -f "$0")

# --- inside: the network, and what lldpcli prints of it ---

# start NAME FORWARDS: a system, whose lldpd answers at NAME.socket.
start()
{
  ip netns add "$1"
  ip netns exec "$1" sysctl -qw net.ipv4.ip_forward="$2" net.ipv6.conf.all.forwarding="$2"
}

# join A PORT B PORT
join()
{
  ip link add "$2" netns "$1" type veth peer name "$4" netns "$3"
  ip -n "$1" link set "$2" up
  ip -n "$3" link set "$4" up
}

if [ "$1" = inside ]; then
  mount -t tmpfs tmpfs /run
  mkdir /run/lldpd
  cd "$2"
  systems='n1 n2 n3 n4 leaf1 leaf2 spine'
  for name in $systems; do
    case $name in n*) start "$name" 0 ;; *) start "$name" 1 ;; esac
  done
  for i in 1 2 3 4; do
    join "n$i" eth0 "leaf$(((i + 1) / 2))" "swp$i"
  done
  for i in 1 2; do
    join "leaf$i" swp51 spine "swp$((2 * i - 1))"
    join "leaf$i" swp52 spine "swp$((2 * i))"
  done
  for name in $systems; do
    # each with a chroot of its own
    ip netns exec "$name" unshare --uts --mount sh -c \
      'hostname "$1"; mount -t tmpfs tmpfs /run/lldpd; exec lldpd -d -u "/run/$1.socket" -S "Debian $1"' sh "$name" \
      2>"$name.log" &
  done
  for name in $systems; do
    until lldpcli -u "/run/$name.socket" resume >/dev/null 2>&1; do sleep 0.1; done
  done
  # all neighbours are known once the spine knows four and the hosts one each
  known=0
  for try in $(seq 100); do
    known=0
    for name in $systems; do
      lldpcli -u "/run/$name.socket" update >/dev/null
      known=$((known + $(lldpcli -u "/run/$name.socket" -f keyvalue show neighbors | { grep -c '\.chassis\.name=' || true; })))
    done
    [ "$known" -ge 16 ] && break
    sleep 0.2
  done
  [ "$known" -ge 16 ] || { echo "lldpd knows $known of 16 neighbours"; exit 1; }
  for name in $systems; do
    for form in json json0; do
      { lldpcli -u "/run/$name.socket" -f $form show chassis; lldpcli -u "/run/$name.socket" -f $form show neighbors details
      } >"$name.$form"
    done
    lldpcli -u "/run/$name.socket" -f json0 show neighbors >"plain-$name.json"
  done
  exit 0
fi

# --- outside ---

for tool in lldpd lldpcli ip unshare sysctl; do
  command -v $tool >/dev/null || { echo "no $tool: skipped"; exit 77; }
done
PATH=$1:$PATH
folder=${2:-$(mktemp -d)}
[ -n "${2:-}" ] || trap 'rm -rf "$folder"' EXIT
if ! unshare --net --mount --pid --fork true 2>/dev/null; then
  echo "no namespaces without root: skipped"
  exit 77
fi
unshare --net --mount --pid --fork --kill-child --mount-proc sh "$self" inside "$folder" || { cat "$folder"/*.log; exit 1; }
cd "$folder"

# expect TEXT FILE...: what import says of the files on standard error.
expect()
{
  wanted=$1
  shift
  tourney topology import "$@" >cluster.dot 2>said || { cat said; exit 1; }
  grep -q "$wanted" said || { echo "not said: $wanted"; cat said; exit 1; }
}

for form in json json0; do
  expect 'read as lldp: 4 hosts, 3 switches, 8 cables' n?.$form leaf?.$form spine.$form
  expect 'read as lldp: 4 hosts, 3 switches, 8 cables' leaf?.$form spine.$form
  expect 'read as lldp: 2 hosts, 1 switch, 2 cables' n1.$form n2.$form
done
expect 'read as lldp: 2 hosts, 1 switch, 2 cables' --link 10Gbit/s plain-n1.json plain-n2.json

code=0
tourney topology import n?.json0 2>said || code=$?
[ $code -eq 2 ] && grep -q 'no file yet: leaf1, leaf2' said || { echo "a missing switch isn't told:"; cat said; exit 1; }
