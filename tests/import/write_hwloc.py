#!/usr/bin/env python3
"""Writes hwloc's XML of hosts that there aren't: of each, what Linux would say of its network cards lies in a folder, as /sys and
/proc, of which the real lstopo then writes what it finds.
usage: write_hwloc.py FOLDER"""
import os
import struct
import subprocess
import sys
import tempfile

ETHERNET, INFINIBAND = 0x020000, 0x020700
LSTOPO = "lstopo-no-graphics"


def write(root, path, content):
    path = os.path.join(root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else (content + "\n").encode())


def link(root, path, to):
    path = os.path.join(root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(os.path.relpath(os.path.join(root, to), os.path.dirname(path)), path)


def config_space(kind, slot):
    """A device's PCI configuration, with the state of its link: (generation, lanes); None: a device without a link."""
    space = bytearray(256)
    struct.pack_into("<HHHH", space, 0, 0x15B3, 0x1017, 0, 0x10)
    struct.pack_into("<I", space, 8, kind << 8)
    if slot:
        space[0x34] = 0x40
        struct.pack_into("<BBH", space, 0x40, 0x10, 0, 2)
        struct.pack_into("<H", space, 0x40 + 0x12, slot[1] << 4 | slot[0])
    return bytes(space)


def add_device(root, bus_id, kind, slot):
    device = "sys/devices/pci0000:00/" + bus_id
    write(root, device + "/config", config_space(kind, slot))
    for name, text in {"class": "0x%06x" % kind, "vendor": "0x15b3", "device": "0x1017", "subsystem_vendor": "0x15b3",
                       "subsystem_device": "0x0001", "revision": "0x00", "local_cpus": "1", "numa_node": "0"}.items():
        write(root, device + "/" + name, text)
    link(root, "sys/bus/pci/devices/" + bus_id, device)
    return device


def ethernet(root, bus_id, slot, name):
    device = add_device(root, bus_id, ETHERNET, slot)
    write(root, device + f"/net/{name}/address", "02:00:00:" + bus_id[5:7] + ":" + bus_id[8:10] + ":0" + bus_id[11])
    link(root, f"sys/class/net/{name}", device + f"/net/{name}")
    link(root, device + f"/net/{name}/device", device)


def infiniband(root, bus_id, slot, name, guid):
    device = add_device(root, bus_id, INFINIBAND, slot)
    adapter = device + "/infiniband/" + name
    for path, text in {"node_guid": guid, "sys_image_guid": guid, "ports/1/state": "4: ACTIVE", "ports/1/lid": "0x1",
                       "ports/1/lid_mask_count": "0", "ports/1/gids/0": "fe80:0000:0000:0000:" + guid}.items():
        write(root, adapter + "/" + path, text)
    link(root, f"sys/class/infiniband/{name}", adapter)
    link(root, adapter + "/device", device)


def write_processor(root, name):
    write(root, "proc/hwloc-nofile-info", f"OSName: Linux\nHostName: {name}\nArchitecture: x86_64")
    write(root, "proc/meminfo", "MemTotal: 16777216 kB\nHugepagesize: 2048 kB")
    write(root, "proc/cpuinfo", "processor\t: 0\n")
    for list_name in "online", "possible", "present":
        write(root, "sys/devices/system/cpu/" + list_name, "0")
    for file in "core_cpus", "package_cpus", "thread_siblings", "core_siblings":
        write(root, "sys/devices/system/cpu/cpu0/topology/" + file, "1")
    for file in "core_id", "physical_package_id":
        write(root, "sys/devices/system/cpu/cpu0/topology/" + file, "0")


def lstopo(arguments, path):
    subprocess.run([LSTOPO, *arguments, "--of", "xml", "--force", path], check=True, stderr=subprocess.DEVNULL)


def host(folder, name, devices=(), options=()):
    with tempfile.TemporaryDirectory() as root:
        write_processor(root, name)
        for add, *about in devices:
            add(root, *about)
        lstopo(["-i", root, "--if", "fsroot", *options], os.path.join(folder, name + ".xml"))


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
SLOT = {8: (3, 8), 16: (3, 16)}
host(folder, "wide", [(ethernet, "0000:01:00.0", SLOT[16], "eth0")])
host(folder, "narrow", [(ethernet, "0000:01:00.0", SLOT[8], "eth0")])
host(folder, "old", [(ethernet, "0000:01:00.0", SLOT[8], "eth0")], ["--export-xml-flags", "v1"])
host(folder, "two-cards", [(ethernet, "0000:01:00.0", SLOT[8], "eth0"), (ethernet, "0000:81:00.0", (4, 4), "eth1")])
host(folder, "two-ports", [(ethernet, "0000:01:00.0", SLOT[8], "eth0"), (ethernet, "0000:01:00.1", SLOT[8], "eth1")])
host(folder, "functions", [(ethernet, "0000:01:00.0", SLOT[8], "eth0"), (ethernet, "0000:01:00.1", None, "eth0v0")])
host(folder, "chipset", [(ethernet, "0000:3d:00.0", (1, 1), "eno1"), (ethernet, "0000:81:00.0", (3, 4), "eth0")])
host(folder, "virtual", [(ethernet, "0000:01:00.0", None, "eth0")])
host(folder, "no-devices", [(ethernet, "0000:01:00.0", SLOT[8], "eth0")], ["--no-io"])
host(folder, "far.example.org", [(ethernet, "0000:01:00.0", (2, 8), "eth0")])
host(folder, "ib", [(infiniband, "0000:02:00.0", (2, 4), "mlx4_0", "0002:c903:0010:0900")])
lstopo(["-i", "package:2 core:2 pu:2"], os.path.join(folder, "synthetic.xml"))
