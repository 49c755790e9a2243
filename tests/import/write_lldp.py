#!/usr/bin/env python3
"""Writes what lldpcli -f json0 show neighbors details would print in a large network: hosts on leaves, the leaves under one spine.
usage: write_lldp.py HOSTS HOSTS_A_LEAF FOLDER"""
import json
import os
import sys


def chassis(name, forwards):
    return [{"id": [{"type": "local", "value": name}], "name": [{"value": name}],
             "capability": [{"type": "Bridge", "enabled": forwards}, {"type": "Station", "enabled": not forwards}]}]


def sees(port, name, forwards, medium):
    return {"name": port, "via": "LLDP", "age": "0 day, 00:10:00", "chassis": chassis(name, forwards),
            "port": [{"id": [{"type": "ifname", "value": "port"}], "ttl": [{"value": "120"}],
                      "auto-negotiation": [{"supported": True, "enabled": True, "current": [{"value": medium}]}]}]}


def write(folder, name, interfaces):
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump({"lldp": [{"interface": interfaces}]}, file, indent=2)


hosts, each, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
os.makedirs(folder, exist_ok=True)
leaves = -(-hosts // each)
for host in range(hosts):
    write(folder, f"n{host:05}", [sees("eth0", f"leaf{host // each}", True, "25GbaseCR - 25GBASE-R over copper")])
for leaf in range(leaves):
    below = range(leaf * each, min(hosts, (leaf + 1) * each))
    write(folder, f"leaf{leaf}",
          [sees(f"swp{i}", f"n{host:05}", False, "25GbaseCR - 25GBASE-R over copper") for i, host in enumerate(below)]
          + [sees("uplink", "spine", True, "100GbaseSR4 - 100GBASE-R over fiber")])
write(folder, "spine", [sees(f"swp{leaf}", f"leaf{leaf}", True, "100GbaseSR4 - 100GBASE-R over fiber") for leaf in range(leaves)])
