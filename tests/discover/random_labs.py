#!/usr/bin/env python3
"""tourney discover in random labs: trees of 1 to 6 switches with 2 to 40 hosts of 20 Mbit/s, trunks of 10 to 80 Mbit/s,
of which some are several cables, in half of them a host of 10 Mbit/s; buffers of 32 to 128 KiB. Says for each what was
found of it, and how long that took; last, in how many all was right. With --check, what differs from a file that is right,
and from one with up to three faults, too.
"""
import argparse
import copy
import csv
import os
import random
import subprocess
import sys
import tempfile
import time

RATE_SHARE, BUFFER_FACTOR = 0.1, 1.5


def draw(seed, hosts_most):
    """A network: the switch of each host with its rate, and the trunks; the ports of a switch have like buffers."""
    rng = random.Random(seed)
    hosts = rng.randint(2, hosts_most)
    switches = rng.randint(1, max(1, min(6, hosts // 2)))
    at = [s for s in range(switches) for _ in range(2 if hosts > 2 else 1)]
    at += [rng.randrange(switches) for _ in range(hosts - len(at))]
    at = at[:hosts]
    rng.shuffle(at)
    rates = [20] * hosts
    if rng.random() < 0.5:
        rates[rng.randrange(hosts)] = 10
    trunks = []
    for s in range(1, switches):
        cables = rng.choice([1, 1, 1, 2, 3])
        each = rng.randint(-(-10 // cables), 80 // cables)
        trunks.append((rng.randrange(s), s, cables, each, rng.randint(32, 128)))
    return {"at": at, "rates": rates, "trunks": trunks, "buffers": [rng.randint(32, 128) for _ in range(switches)]}


def write_graph(network, path):
    with open(path, "w", encoding="ascii") as out:
        out.write("graph {\n")
        for host, s in enumerate(network["at"]):
            if host == network.get("left_out"):
                continue
            out.write(f'  n{host} -- s{s} [bandwidth="{network["rates"][host]}Mbit/s", '
                      f'buffer="{network["buffers"][s]}KiB"]\n')
        for a, b, cables, each, buffer in network["trunks"]:
            for _ in range(cables):
                out.write(f'  s{a} -- s{b} [bandwidth="{each}Mbit/s", buffer="{buffer}KiB"]\n')
        if "more" in network:
            out.write(f'  more -- s{network["more"]} [bandwidth="20Mbit/s"]\n')
        out.write("}\n")


def side_of(trunks, index, at):
    """The hosts beyond a trunk (pairs of switches, the trunk's number); host 0 is never among them."""
    beyond = {trunks[index][1]}
    for _ in trunks:
        for other, (a, b) in enumerate(trunks):
            if other != index and (a in beyond) != (b in beyond):
                beyond |= {a, b}
    side = frozenset(host for host, s in enumerate(at) if s in beyond)
    return frozenset(range(len(at))) - side if 0 in side else side


def most_over(network, side):
    """What the hosts on either side of a trunk could send over it, by their own cables alone."""
    inside = sum(network["rates"][host] for host in side)
    return min(inside, sum(network["rates"]) - inside)


def read_found(path, hosts):
    found = {"at": [None] * hosts, "hosts": [None] * hosts, "trunks": [], "cables": []}
    with open(path, encoding="ascii") as lines:
        for row in csv.DictReader(lines):
            cable = {"mbps": float(row["bandwidth_bps"]) / 1e6, "least": row["bandwidth_is"] != "measured",
                     "kib": float(row["buffer_bytes"]) / 1024, "buffer_is": row["buffer_is"]}
            if row["kind"] == "host":
                host = int(row["from"][1:])
                found["at"][host], found["hosts"][host] = row["to"], cable
            else:
                found["trunks"].append((row["from"], row["to"]))
                found["cables"].append(cable)
    return found


def is_near(value, wanted, factor):
    return wanted / factor < value < wanted * factor


def judge_buffers(network, found, cables_of):
    """Those that are said to be measured; of several cables their ports' together."""
    faults = []
    for host, s in enumerate(network["at"]):
        cable = found["hosts"][host]
        if cable["buffer_is"] == "measured" and not is_near(cable["kib"], network["buffers"][s], BUFFER_FACTOR):
            faults.append(f'n{host}: {cable["kib"]:.0f} KiB of {network["buffers"][s]}')
    for cable, (a, b, count, _, buffer) in cables_of:
        if cable["buffer_is"] == "measured" and not is_near(cable["kib"], count * buffer, BUFFER_FACTOR):
            faults.append(f's{a} -- s{b}: {cable["kib"]:.0f} KiB of {count} x {buffer}')
    return faults


def judge(network, found):
    """What is wrong, of switches, of rates, of buffers."""
    at = network["at"]
    trunks = [(a, b) for a, b, *_ in network["trunks"]]
    sides = {side_of(trunks, t, at): network["trunks"][t] for t in range(len(trunks))}
    if len(at) > 2:
        found_sides = [side_of(found["trunks"], t, found["at"]) for t in range(len(found["trunks"]))]
        if sorted(map(sorted, sides)) != sorted(map(sorted, found_sides)):
            return [f'{len(found_sides)} trunks of {len(sides)}, hosts at {found["at"]}'], [], []
    else:
        found_sides = []
    rates = []
    cables_of = [(found["cables"][t], sides[side]) for t, side in enumerate(found_sides)]
    for (cable, (a, b, count, each, _)), side in zip(cables_of, found_sides):
        said, mbps = count * each, cable["mbps"]
        too_low = mbps < said * (1 - RATE_SHARE)
        if cable["least"] and too_low and most_over(network, side) < 1.3 * said:
            too_low = False
        if too_low or mbps > said * (1 + RATE_SHARE):
            rates.append(f's{a} -- s{b}: {"at least " if cable["least"] else ""}{mbps:.1f} of {count} x {each}')
    for host, mbps in enumerate(network["rates"]):
        if len(at) > 2 and abs(found["hosts"][host]["mbps"] / mbps - 1) > RATE_SHARE:
            rates.append(f'n{host}: {found["hosts"][host]["mbps"]:.1f} of {mbps}')
    return [], rates, judge_buffers(network, found, cables_of)


# --- faults in files ---


def spare_hosts(network):
    """Those whose switch keeps two others without them."""
    at = [s for host, s in enumerate(network["at"]) if host != network.get("left_out")]
    return [host for host, s in enumerate(network["at"])
            if at.count(s) > 2 and network["rates"][host] == 20 and host != network.get("left_out")]


def plant_move(network, rng, _):
    """A host is said to be at another switch."""
    at, hosts = network["at"], spare_hosts(network)
    switches = len(network["buffers"])
    if not hosts or switches == 1:
        return None
    host = rng.choice(hosts)
    at[host] = rng.choice([s for s in range(switches) if s != at[host]])
    return "miscabled", f"n{host}"


def plant_host_rate(network, rng, _):
    host = rng.randrange(len(network["at"]))
    network["rates"][host] *= 2
    return "host-rate", f"n{host}"


def plant_trunk(network, rng, lab, change):
    """Of a trunk whose rate shows in the lab."""
    sides = [side_of([trunk[:2] for trunk in lab["trunks"]], t, lab["at"]) for t in range(len(lab["trunks"]))]
    filled = [t for t, side in enumerate(sides)
              if most_over(lab, side) > 1.4 * lab["trunks"][t][2] * lab["trunks"][t][3]]
    if not filled:
        return None
    t = rng.choice(filled)
    a, b, cables, each, buffer = network["trunks"][t]
    network["trunks"][t] = (a, b, *change(cables, each), buffer)
    return "trunk-rate", f"s{a} -- s{b}"


def plant_more(network, rng, _):
    network["more"] = rng.randrange(len(network["buffers"]))
    return "missing", "more"


def plant_left_out(network, rng, _):
    hosts = spare_hosts(network)
    if not hosts:
        return None
    network["left_out"] = rng.choice(hosts)
    return "stranger", f'n{network["left_out"]}'


PLANTS = {
    "a trunk's rate": lambda network, rng, lab: plant_trunk(network, rng, lab, lambda cables, each: (cables, 2 * each)),
    "a trunk's cables": lambda network, rng, lab: plant_trunk(network, rng, lab, lambda cables, each: (2 * cables, each)),
    "a host's rate": plant_host_rate,
    "a host's switch": plant_move,
    "a host too many": plant_more,
    "a host too few": plant_left_out,
}


def plant(network, rng):
    """Up to three faults in a copy of the network, of different hosts and trunks; what they should be found as."""
    wrong, wanted = copy.deepcopy(network), set()
    for name in rng.sample(sorted(PLANTS), len(PLANTS)):
        tried = copy.deepcopy(wrong)
        fault = PLANTS[name](tried, rng, network)
        if fault and fault[1] not in {what for _, what in wanted} and len(wanted) < 3:
            wrong = tried
            wanted.add(fault)
    return wrong, wanted


def check_file(tool, network, wanted, folder):
    """What --check says that it shouldn't, and doesn't say that it should."""
    path = os.path.join(folder, "file.dot")
    write_graph(network, path)
    result = subprocess.run([tool, "discover", "--check", path, "--csv"], capture_output=True, text=True, check=False,
                            timeout=300)
    said = {(row["kind"], row["what"]): row["text"] for row in csv.DictReader(result.stdout.splitlines())}
    faults = [f"not said: {kind} {what}" for kind, what in wanted - set(said)]
    faults += [f"said: {said[fault]}" for fault in set(said) - wanted]
    if result.returncode != (1 if wanted else 0):
        faults.append(f"exit code {result.returncode}: {result.stderr.strip().splitlines()[-1:]}")
    return faults


# --- all ---


def discover(tool, network, folder):
    out, err = os.path.join(folder, "found.csv"), os.path.join(folder, "err")
    with open(out, "w", encoding="ascii") as csv_out, open(err, "w", encoding="utf-8") as err_out:
        code = subprocess.run([tool, "discover", "--csv", "-o", os.path.join(folder, "found.dot")], stdout=csv_out,
                              stderr=err_out, check=False, timeout=300).returncode
    if code == 0:
        return judge(network, read_found(out, len(network["at"])))
    with open(err, encoding="utf-8") as said:
        return [f"exit code {code}: {said.read().strip().splitlines()[-1:]}"], [], []


def run_one(arguments, seed, folder):
    """Which of the switches, rates, buffers and checks are right; seconds, and how many faults were planted."""
    network, planted, checked = draw(seed, arguments.hosts), [], []
    graph = os.path.join(folder, "lab.dot")
    write_graph(network, graph)
    subprocess.run([arguments.tool, "lab", "up", graph], check=True, stdout=subprocess.DEVNULL)
    try:
        began = time.monotonic()
        faults = discover(arguments.tool, network, folder)
        seconds = time.monotonic() - began
        if arguments.check and len(network["at"]) > 2:  # of two nothing differs that shows
            wrong, planted = plant(network, random.Random(seed))
            checked = check_file(arguments.tool, network, set(), folder)
            checked += check_file(arguments.tool, wrong, planted, folder)
    finally:
        subprocess.run([arguments.tool, "lab", "down"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    what = "; ".join(sum(faults, []) + checked) or "right"
    also = f', {len(planted)} planted' if arguments.check else ""
    print(f'seed {seed}: {len(network["at"])} hosts, {len(network["buffers"])} switches, {seconds:.1f} s{also}: {what}',
          flush=True)
    switches, rates, buffers = (not kind for kind in faults)
    return [switches, switches and rates, switches and buffers, not checked], seconds, len(planted)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", metavar="TOURNEY", type=os.path.realpath)
    parser.add_argument("count", metavar="COUNT", type=int)
    parser.add_argument("first", metavar="FIRST_SEED", type=int)
    parser.add_argument("--hosts", type=int, default=40, help="at most; 40 where it isn't given")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    count = arguments.count
    os.environ.setdefault("TOURNEY_LAB", f"random_labs_{os.getpid()}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        results = [run_one(arguments, seed, folder) for seed in range(arguments.first, arguments.first + count)]
    switches, rates, buffers, checks = (sum(right[kind] for right, _, _ in results) for kind in range(4))
    print(f"{count} networks: switches right on {switches}, rates on {rates}, buffers on {buffers}; "
          f"the longest took {max(seconds for _, seconds, _ in results):.1f} s")
    if arguments.check:
        print(f"{sum(planted for *_, planted in results)} faults planted: files judged right on {checks} networks")
    sys.exit(0 if switches == checks == count and min(rates, buffers) >= 0.95 * count else 1)


if __name__ == "__main__":
    main()
