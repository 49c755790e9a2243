#!/usr/bin/env python3
"""tourney discover in random labs: trees of 1 to 6 switches with 2 to 40 hosts of 20 Mbit/s, trunks of 10 to 80 Mbit/s,
of which some are several cables, in half of them a host of 10 Mbit/s; buffers of 32 to 128 KiB. Says for each what was
found of it, and how long that took; last, in how many all was right.

usage: random_labs.py TOURNEY COUNT FIRST_SEED [HOSTS_MOST]
"""
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
            out.write(f'  n{host} -- s{s} [bandwidth="{network["rates"][host]}Mbit/s", '
                      f'buffer="{network["buffers"][s]}KiB"]\n')
        for a, b, cables, each, buffer in network["trunks"]:
            for _ in range(cables):
                out.write(f'  s{a} -- s{b} [bandwidth="{each}Mbit/s", buffer="{buffer}KiB"]\n')
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


def run_one(tool, seed, hosts_most, folder):
    network = draw(seed, hosts_most)
    graph, out = os.path.join(folder, "lab.dot"), os.path.join(folder, "found.csv")
    write_graph(network, graph)
    subprocess.run([tool, "lab", "up", graph], check=True, stdout=subprocess.DEVNULL)
    try:
        began = time.monotonic()
        with open(out, "w", encoding="ascii") as csv_out, open(os.path.join(folder, "err"), "w+", encoding="utf-8") as err:
            code = subprocess.run([tool, "discover", "--csv", "-o", os.path.join(folder, "found.dot")], stdout=csv_out,
                                  stderr=err, check=False, timeout=240).returncode
            seconds = time.monotonic() - began
            err.seek(0)
            said = err.read().strip().splitlines()
    finally:
        subprocess.run([tool, "lab", "down"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if code != 0:
        faults = [f"exit code {code}: {said[-1] if said else ''}"], [], []
    else:
        faults = judge(network, read_found(out, len(network["at"])))
    what = "; ".join(sum(faults, [])) or "right"
    print(f'seed {seed}: {len(network["at"])} hosts, {len(network["buffers"])} switches, {seconds:.1f} s: {what}', flush=True)
    switches, rates, buffers = (not kind for kind in faults)
    return [switches, switches and rates, switches and buffers], seconds


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    tool, count, first = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    hosts_most = int(sys.argv[4]) if len(sys.argv) == 5 else 40
    os.environ.setdefault("TOURNEY_LAB", f"random_labs_{os.getpid()}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        results = [run_one(tool, seed, hosts_most, folder) for seed in range(first, first + count)]
    switches, rates, buffers = (sum(right[kind] for right, _ in results) for kind in range(3))
    print(f"{count} networks: switches right on {switches}, rates on {rates}, buffers on {buffers}; "
          f"the longest took {max(seconds for _, seconds in results):.1f} s")
    sys.exit(0 if switches == count and min(rates, buffers) >= 0.95 * count else 1)


if __name__ == "__main__":
    main()
