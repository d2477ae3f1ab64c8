# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Draws iallocator messages of clusters whose nodes give whole disks away.

tools_diff.py asks both hails of each: one new instance, where what
counts is how many of the least instances of the policy find no place any more.
"""
import random


def spec(memory, cpus, disk, disks, nics, spindles):
    return {"memory-size": memory, "cpu-count": cpus, "disk-size": disk,
            "disk-count": disks, "nic-count": nics, "spindle-use": spindles}


def draw_policy(dice):
    """One to three ranges, so that there are several least instances."""
    ranges = []
    for _ in range(dice.choice([1, 1, 2, 3])):
        disk = dice.choice([1024, 10240, 51200, 100000])
        memory = dice.choice([128, 1024, 4096, 9000])
        low = spec(memory, dice.choice([1, 1, 2]), disk, 1, 1,
                   dice.choice([1, 1, 2]))
        high = spec(memory * dice.choice([1, 4, 16]), 8,
                    disk * dice.choice([1, 4, 40]), 16, 8, 12)
        ranges.append({"min": low, "max": high})
    return {"std": spec(1024, 1, 10240, 1, 1, 1), "minmax": ranges,
            "disk-templates": ["plain", "drbd", "ext", "diskless"],
            "vcpu-ratio": 4.0, "spindle-ratio": 32.0}


def draw_nodes(dice, groups):
    nodes = {}
    for k in range(dice.randint(2, 7)):
        memory = dice.choice([16000, 32000, 64000])
        disk = dice.choice([200000, 500000, 1000000])
        spindles = dice.choice([4, 8, 16])
        nodes[f"n{k}"] = {
            "group": f"u{k % groups}", "offline": dice.random() < 0.07,
            "drained": False, "vm_capable": True, "tags": [],
            "ndparams": {"spindle_count": spindles,
                         "exclusive_storage": dice.random() < 0.97},
            "total_memory": memory, "reserved_memory": 1000,
            "free_memory": memory - 1000, "total_disk": disk,
            "free_disk": disk, "total_cpus": dice.choice([4, 8, 16]),
            "reserved_cpus": 1, "total_spindles": spindles,
            "free_spindles": spindles}
    return nodes


def instance(disks, size, spindles, memory, cpus):
    return {"disk_space_total": size,
            "disks": [{"size": size, "spindles": spindles}],
            "memory": memory, "vcpus": cpus, "tags": [],
            "disk_template": disks, "spindle_use": 1, "nics": [],
            "admin_state": "up"}


def draw_instances(dice, nodes, groups):
    """As many as fit of some; they take what their nodes have."""
    result = {}
    for k in range(dice.randint(0, len(nodes) * 3)):
        group = f"u{dice.randrange(groups)}"
        members = [n for n in nodes if nodes[n]["group"] == group]
        disks = dice.choice(["plain", "plain", "drbd"])
        where = dice.sample(members, 2 if disks == "drbd"
                            and len(members) > 1 else 1)
        size = dice.choice([1024, 10240, 30000, 51200])
        memory = dice.choice([128, 1024, 4096])
        if (any(nodes[n]["free_disk"] - size < 1000
                or nodes[n]["free_spindles"] < 2 for n in where)
                or nodes[where[0]]["free_memory"] - memory < 500):
            continue
        for n in where:
            nodes[n]["free_disk"] -= size
            nodes[n]["free_spindles"] -= 1
        nodes[where[0]]["free_memory"] -= memory
        result[f"i{k}"] = dict(
            instance("drbd" if len(where) > 1 else "plain", size, 1, memory,
                     dice.choice([1, 2])), nodes=where)
    return result


def is_dedicated(message):
    return all(n["ndparams"]["exclusive_storage"]
               for n in message["nodes"].values())


def draw_dedicated(seed):
    """A message, and options for hail."""
    dice = random.Random(f"htools-dedicated-{seed}")
    groups = dice.choice([1, 1, 1, 2])
    policies = {f"u{g}": {"name": f"g{g}", "alloc_policy": dice.choice(
        ["preferred"] * 4 + ["last_resort", "unallocable"]), "tags": [],
        "networks": [f"net-{g}"], "ipolicy": draw_policy(dice)} for g in range(groups)}
    nodes = draw_nodes(dice, groups)
    instances = draw_instances(dice, nodes, groups)
    # As large as the least of a range as a rule, or nothing fits a policy.
    low = dice.choice(policies["u0"]["ipolicy"]["minmax"])["min"]
    size = max(low["disk-size"], dice.choice([1024, 12000, 51200]))
    memory = max(low["memory-size"], dice.choice([128, 2000, 4096]))
    disks = dice.choice(["plain", "plain", "drbd", "drbd", "ext"])
    request = dict(instance(disks, size, dice.choice([1, 1, 2]), memory, 2),
                   type="allocate", name="new",
                   required_nodes=2 if disks == "drbd" else 1)
    if dice.random() < 0.15:
        request["nics"] = [{"network": f"net-{dice.randrange(groups)}"}]
    if dice.random() < 0.2:
        request["group_name"] = f"g{dice.randrange(groups)}"
    if dice.random() < 0.1:
        request["restrict-to-nodes"] = dice.sample(list(nodes),
                                                   min(3, len(nodes)))
    options = dice.choice([[], [], ["--no-capacity-checks"],
                           ["--ignore-soft-errors"]])
    return {"version": 2, "cluster_tags": [],
            "enabled_hypervisors": ["xen-pvm"], "nodegroups": policies,
            "nodes": nodes, "instances": instances,
            "request": request}, options
