#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Prints a cluster in the text format of htools as an iallocator message.

usage: iallocator.py FILE TEMPLATE [allocate | node-evacuate]
"""

import json
import sys


def sections(path):
    """Lines of fields, parted by empty lines."""
    result = [[]]
    with open(path, encoding="ascii") as file:
        for line in file.read().split("\n"):
            if line:
                result[-1].append(line.split("|"))
            else:
                result.append([])
    return result


def size(memory, cpus, disk, nics, spindles):
    return {"memory-size": memory, "cpu-count": cpus, "disk-size": disk,
            "disk-count": 1, "nic-count": nics, "spindle-use": spindles}


def policy():
    least = size(128, 1, 1024, 0, 1)
    most = {**size(65536, 16, 2097152, 8, 12), "disk-count": 16}
    return {"minmax": [{"min": least, "max": most}],
            "std": size(1024, 1, 10240, 1, 1),
            "disk-templates": ["drbd", "plain", "ext", "rbd"],
            "vcpu-ratio": 6.0, "spindle-ratio": 32.0}


def group(fields):
    return {"name": fields[0], "alloc_policy": fields[2], "networks": [],
            "ipolicy": policy(), "tags": []}


def node(fields):
    return {"offline": fields[7] == "Y", "drained": False, "group": fields[8],
            "vm_capable": True, "master_candidate": True,
            "master_capable": True,
            "ndparams": {"spindle_count": int(fields[9]),
                         "exclusive_storage": False, "oob_program": ""},
            "total_spindles": 0, "free_spindles": 0,
            "total_memory": int(fields[1]), "reserved_memory": int(fields[2]),
            "free_memory": int(fields[3]), "total_disk": int(fields[4]),
            "free_disk": int(fields[5]), "total_cpus": int(fields[6]),
            "reserved_cpus": 1, "primary_ip": "1.1.1.1",
            "secondary_ip": "1.1.1.1", "tags": [], "i_pri_memory": 0,
            "i_pri_up_memory": 0}


def instance(memory, disk, cpus, template, tags, spindles):
    return {"disk_space_total": disk,
            "disks": [{"size": disk, "mode": "rw", "spindles": 1}],
            "memory": memory, "vcpus": cpus, "tags": tags,
            "disk_template": template, "spindle_use": spindles, "nics": [],
            "admin_state": "up", "hypervisor": "kvm", "os": "x"}


def placed(fields):
    tags = [x for x in fields[9].split(",") if x]
    return {**instance(int(fields[1]), int(fields[2]), int(fields[3]),
                       fields[8], tags, int(fields[10])),
            "nodes": [x for x in fields[6:8] if x]}


def request(kind, template, nodes, instances):
    if kind == "node-evacuate":
        first = nodes[0][0]
        return {"type": kind, "evac_mode": "all",
                "instances": [x[0] for x in instances if first in x[6:8]][:4]}
    return {**instance(4096, 51200, 2, template, [], 1), "type": "allocate",
            "name": "newinst.cl.example.com",
            "required_nodes": 2 if template == "drbd" else 1}


def main(path, template, kind="allocate"):
    groups, nodes, instances, tags = sections(path)[:4]
    json.dump({"version": 2, "cluster_name": "c",
               "cluster_tags": ["|".join(x) for x in tags],
               "enabled_hypervisors": ["xen-pvm"], "ipolicy": policy(),
               "nodegroups": {x[1]: group(x) for x in groups},
               "nodes": {x[0]: node(x) for x in nodes},
               "instances": {x[0]: placed(x) for x in instances},
               "request": request(kind, template, nodes, instances)},
              sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
