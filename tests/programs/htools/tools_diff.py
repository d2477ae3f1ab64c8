#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Our hail, hcheck, hspace and hinfo beside Debian's on small clusters.

The clusters are those of diff.py: a generator's, with statuses, tags,
offline nodes, groups, loads and odd sizes drawn on top. Each goes through
hcheck, hinfo and hspace as a text file, and through hail as an iallocator
request of every kind; so does a message of dedicated.py. Answers and
exit codes must be the same but for what docs/htools.md lists; the first
difference is shown. Ends with 77 if the reference is not there.
"""
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the tree stays as it is
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dedicated import draw_dedicated, is_dedicated  # noqa: E402
from diff import (  # noqa: E402
    comparison_options, draw_cluster, first_difference)

HAIL = "/usr/lib/ganeti/iallocators/hail"
TEMPLATES = ["drbd", "ext", "plain", "rbd", "diskless", "sharedfile"]
STATES = {"ADMIN_down": "down", "ADMIN_offline": "offline"}


def spec_of(text):
    keys = ["memory-size", "cpu-count", "disk-size", "disk-count", "nic-count",
            "spindle-use"]
    return dict(zip(keys, map(int, text.split(","))))


def policy_of(line):
    f = line.split("|")
    bounds = f[2].split(";")
    return {"std": spec_of(f[1]),
            "minmax": [{"min": spec_of(a), "max": spec_of(b)}
                       for a, b in zip(bounds[::2], bounds[1::2])],
            "disk-templates": f[3].split(","), "vcpu-ratio": float(f[4]),
            "spindle-ratio": float(f[5])}


def words(text):
    return [x for x in text.split(",") if x]


def node_of(f):
    whole = [0 if x == "?" else int(x) for x in f[1:7]]
    return {"group": f[8], "offline": f[7] == "Y" or "?" in f[1:7],
            "drained": False, "vm_capable": True, "tags": words(f[10]),
            "ndparams": {"spindle_count": int(f[9]),
                         "exclusive_storage": f[11] == "Y"},
            "total_memory": whole[0], "reserved_memory": whole[1],
            "free_memory": whole[2], "total_disk": whole[3],
            "free_disk": whole[4], "total_cpus": whole[5],
            "reserved_cpus": int(f[13]), "total_spindles": int(f[9]),
            "free_spindles": int(f[12])}


def instance_of(f):
    f = f + ["1", "-", "N"][len(f) - 10:]
    disk = {"size": int(f[2])}
    if f[11] != "-":
        disk["spindles"] = int(f[11])
    return {"disk_space_total": int(f[2]), "disks": [disk],
            "memory": int(f[1]), "vcpus": int(f[3]), "tags": words(f[9]),
            "disk_template": f[8], "spindle_use": int(f[10]), "nics": [],
            "admin_state": STATES.get(f[4], "up"),
            "forthcoming": f[12] == "Y",
            "nodes": [f[6]] + ([f[7]] if f[7] else [])}


def message_of(path):
    """The cluster of a text file as an iallocator message without request."""
    with open(path) as file:
        parts = file.read().rstrip("\n").split("\n\n")
    lines = [p.split("\n") if p else [] for p in parts]
    policies = {x.split("|")[0]: policy_of(x) for x in lines[4]}
    groups = {}
    for line in lines[0]:
        f = line.split("|")
        groups[f[1]] = {"name": f[0], "alloc_policy": f[2], "tags": [],
                        "networks": ["net-" + f[0]], "ipolicy": policies[f[0]]}
    return {"version": 2, "cluster_tags": lines[3],
            "enabled_hypervisors": ["xen-pvm"], "nodegroups": groups,
            "nodes": {x.split("|")[0]: node_of(x.split("|"))
                      for x in lines[1]},
            "instances": {x.split("|")[0]: instance_of(x.split("|"))
                          for x in lines[2]}}


def new_instance(dice, name, message):
    disks = dice.choice(TEMPLATES)
    size = dice.choice([2048, 51200, 400000])
    result = {"name": name, "disk_space_total": size,
              "disks": [{"size": size, "spindles": 1}],
              "memory": dice.choice([128, 1024, 4096, 30000]),
              "vcpus": dice.randint(1, 8), "disk_template": disks,
              "tags": [],  # exclusion tags of new instances: docs/htools.md
              "spindle_use": 1, "nics": [], "admin_state": "up",
              "required_nodes": 2 if disks == "drbd" else 1}
    groups = list(message["nodegroups"].values())
    if dice.random() < 0.1:
        result["nics"] = [{"network": "net-" + dice.choice(groups)["name"]}]
    if dice.random() < 0.15:
        result["group_name"] = dice.choice(groups)["name"]
    if dice.random() < 0.1:
        result["restrict-to-nodes"] = dice.sample(
            list(message["nodes"]), min(3, len(message["nodes"])))
    return result


def requests_of(dice, message):
    """One request of each kind that the cluster can be asked."""
    yield dict(new_instance(dice, "new", message), type="allocate")
    many = [new_instance(dice, f"new{k}", message)
            for k in range(dice.randint(2, 4))]
    for one in many:  # the reference does not see these here
        one.pop("group_name", None)
        one.pop("restrict-to-nodes", None)
    yield {"type": "multi-allocate", "instances": many}
    names = list(message["instances"])
    # The reference crashes on a drbd instance without secondary.
    names = [n for n in names
             if message["instances"][n]["disk_template"] != "drbd"
             or len(message["instances"][n]["nodes"]) == 2]
    if not names:
        return
    name = dice.choice(names)
    yield {"type": "relocate", "name": name, "required_nodes": 1,
           "relocate_from": message["instances"][name]["nodes"][-1:]}
    node = dice.choice(list(message["nodes"]))
    some = ([n for n in names if node in message["instances"][n]["nodes"]]
            or dice.sample(names, min(3, len(names))))
    for mode in ("primary-only", "secondary-only", "all"):
        yield {"type": "node-evacuate", "instances": some, "evac_mode": mode}
    if len(message["nodegroups"]) > 1:
        yield {"type": "change-group", "instances": some,
               "target_groups": dice.sample(list(message["nodegroups"]),
                                            dice.randint(0, 2))}


def run(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=20)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout, done.stderr


def without_known(tool, answer):
    """Leaves out what docs/htools.md says is different on purpose."""
    code, out, err = answer
    # A Haskell value as text.
    out = re.sub(r'"no groups for evacuation: (\\.|[^"\\])*"',
                 '"no groups for evacuation"', out)
    lines = out.split("\n")
    if tool == "hcheck":  # OFFLINE_SEC counts nodes in the reference
        lines = [x for x in lines if "OFFLINE_SEC" not in x
                 and "FINAL_CLUSTER_NEED_REBALANCE" not in x]
    return code, "\n".join(lines), err


def only_offline_counts(out):
    """Offline nodes make the reference call a cluster unhealthy whose
    instances are all elsewhere."""
    return (re.search("INIT_CLUSTER_OFFLINE_SEC=[1-9]", out) and all(
        re.search(f"INIT_CLUSTER_{key}=0", out)
        for key in ("N1_FAIL", "CONFLICT_TAGS", "OFFLINE_PRI")) and
        not re.search("INIT_CLUSTER_GN1_FAIL=[1-9]", out))


def names_the_dead(out, path):
    """An instance stays because there is nothing to copy from, or to start on:
    each node that our sentences name is offline in the request. The reference
    moves it, and others find less room."""
    named = re.findall(r"(?:Its primary|Its secondary) node (\S+) is offline",
                       out)
    for pair in re.findall(r"Both its nodes, (\S+) and (\S+), are offline", out):
        named += pair
    if not named:
        return False
    with open(path) as file:
        nodes = json.load(file)["nodes"]
    return all(nodes[name]["offline"] for name in named)


class comparison:
    def __init__(self, arguments, folder):
        self.a = arguments
        self.folder = folder
        self.same = collections.Counter()
        self.crashed = 0
        self.known = 0
        self.different = 0

    def ours(self, tool):
        return os.path.join(self.folder, tool)

    def compare(self, seed, tool, options):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            theirs, mine = pool.map(run, [
                [HAIL if tool == "hail" else "/usr/bin/" + tool] + options,
                [self.ours(tool), "--n1-rule=3.0"] + options])
        if theirs is None or re.search("CallStack|internal inconsistency",
                                       theirs[2]):
            self.crashed += 1
            return
        if mine and tool == "hcheck" and only_offline_counts(theirs[1]):
            self.known += 1
            return
        if mine and tool == "hail" and names_the_dead(mine[1], options[-1]):
            self.known += 1
            return
        wrong = ("ours did not end" if mine is None else first_difference(
            without_known(tool, theirs), without_known(tool, mine)))
        if not wrong:
            self.same[tool] += 1
            return
        self.different += 1
        print(f"cluster {seed}: {tool} {' '.join(options)}: {wrong}")
        if self.a.keep:
            kept = os.path.join(self.a.keep, f"{seed}-{tool}-{self.different}")
            shutil.copy(options[-1], kept)
            print(f"  kept as {kept}")

    def cluster(self, seed):
        drawn = draw_cluster(seed, self.folder)
        if not drawn:
            return
        path, load, groups, dice = drawn
        if len(groups) > 1 and dice.random() < 0.3:
            self.change_policy(dice, path)
        # hcheck calls a cluster with offline secondaries unhealthy by its own
        # count; without that the first line and the end are the same.
        switches = dice.sample([["--no-simulation"], ["--no-capacity-checks"],
                                ["--no-disk-moves"], ["-E"]],
                               dice.choice([0, 0, 1]))
        extra = [x for s in switches for x in s]
        load = ["-U", load] if load else []
        self.compare(seed, "hcheck", ["--machine-readable", "-l", "20"] + extra
                     + load + ["-t", path])
        self.compare(seed, "hinfo", ["-v", "-p", "--print-instances", "-t",
                                     path])
        self.drop_forthcoming(path)
        switches = dice.sample([["--independent-groups"], ["-l", "7"],
                                ["--accept-existing-errors"],
                                ["--no-capacity-checks"], ["--max-cpu=2"],
                                ["--min-disk=0.3"], ["--spindle-use=3"]],
                               dice.choice([0, 1, 2]))
        size = f"{dice.choice([20, 300])}g,{dice.choice([2, 6])}g,2"
        self.compare(seed, "hspace", ["--machine-readable", "--disk-template",
                                      dice.choice(TEMPLATES),
                                      "--tiered-alloc", size,
                                      "--standard-alloc", size]
                     + [x for s in switches for x in s] + ["-t", path])
        message = message_of(path)
        asked = os.path.join(self.folder, "request.json")
        for request in requests_of(dice, message):
            if (request["type"] == "multi-allocate" and len(groups) > 1
                    and is_dedicated(message)):
                self.known += 1
                continue
            with open(asked, "w") as file:
                json.dump(dict(message, request=request), file)
            options = (["--no-capacity-checks"] if dice.random() < 0.5 else [])
            options += (["--ignore-soft-errors"] if dice.random() < 0.1 else [])
            self.compare(f"{seed} {request['type']}", "hail",
                         options + [asked])
        message, options = draw_dedicated(seed)
        with open(asked, "w") as file:
            json.dump(message, file)
        self.compare(f"{seed} dedicated", "hail", options + [asked])

    def drop_forthcoming(self, path):
        """The reference's hspace ends with an error if there are any."""
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(re.sub(r"\|Y$", "|N", text, flags=re.M))

    def change_policy(self, dice, path):
        with open(path) as file:
            text = file.read()
        policy = dice.choice(["last_resort", "unallocable"])
        with open(path, "w") as file:
            file.write(text.replace("|preferred|", f"|{policy}|", 1))


def main():
    a = comparison_options(__doc__, stops=True).parse_args()
    for needed in (HAIL, "/usr/bin/hspace"):
        if not os.path.exists(needed):
            print(f"SKIPPED: there is no {needed}; nothing was compared")
            return 77
    end = time.monotonic() + a.seconds
    with tempfile.TemporaryDirectory() as folder:
        for tool in ("hail", "hcheck", "hspace", "hinfo"):
            os.symlink(os.path.abspath(a.ours), os.path.join(folder, tool))
        c = comparison(a, folder)
        clusters = 0
        for seed in range(a.first, a.first + a.clusters):
            if time.monotonic() > end or (c.different and not a.all):
                break
            c.cluster(seed)
            clusters += 1
    counts = ", ".join(f"{tool} {n}" for tool, n in sorted(c.same.items()))
    print(f"{clusters} clusters, the same answers: {counts}; different: "
          f"{c.different}; known differences: {c.known}; in {c.crashed} the "
          "reference crashed or took 20 s")
    enough = all(c.same[x] >= 20 for x in ("hail", "hcheck", "hspace", "hinfo"))
    return 0 if enough and not c.different else 1


if __name__ == "__main__":
    sys.exit(main())
