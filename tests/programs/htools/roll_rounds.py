#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""How many rounds hroller needs on balanced clusters, and whether they hold.

Clusters come from gen.py and are balanced by our hbal. Every round is
judged by the figures of the file alone: no two halves of an instance are down,
whoever runs and can move is on one node that is up and reaches it, and nobody
has less than 1 MiB left. On drbd there may be two rounds more than the larger
of two bounds that are counted here: nodes that all hold halves of each other's
instances, and what the memory of one node, or of all, lets through. Ends with 1
if anything does not hold.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

GENERATOR = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                         "gen.py")
# Storage, nodes, instances, options, rounds above the bound that are allowed.
ROWS = [("drbd", 20, 150, [], 2), ("drbd", 40, 300, [], 2),
        ("drbd", 80, 700, [], 2), ("drbd", 40, 300, ["--full-evacuation"], 2),
        ("shared", 40, 300, [], 2), ("mixed", 40, 300, [], 2)]


class Cluster:
    def __init__(self, path):
        with open(path) as file:
            parts = file.read().split("\n\n")
        self.free, self.disk, self.instances = {}, {}, {}
        for line in parts[1].strip().split("\n"):
            f = line.split("|")
            self.free[f[0]] = min(int(f[1]) - int(f[2]), int(f[3]))
            self.disk[f[0]] = int(f[5])
        for line in parts[2].strip().split("\n"):
            f = line.split("|")
            self.instances[f[0]] = (int(f[1]), int(f[2]), f[6], f[7], f[8])

    def pairs(self):
        return {frozenset((p, s)) for _, _, p, s, _ in self.instances.values()
                if s}

    def clique(self):
        """The most nodes of which each two hold halves of an instance."""
        near = {n: set() for n in self.free}
        for a, b in map(tuple, self.pairs()):
            near[a].add(b)
            near[b].add(a)
        best = 0
        stack = [(1, near[n] & set(list(near)[k:]))
                 for k, n in enumerate(near)]
        while stack:
            size, others = stack.pop()
            best = max(best, size)
            others = sorted(others)
            if size + len(others) <= best:
                continue
            for k, n in enumerate(others):
                stack.append((size + 1, near[n] & set(others[k:])))
        return best

    def capacity(self):
        coming = dict.fromkeys(self.free, 0)
        moving = 0
        for memory, _, _, second, disks in self.instances.values():
            if second:
                coming[second] += memory
            moving += memory if disks != "plain" else 0
        whole = sum(self.free.values())
        mirrors = [1 - -n // (self.free[x] - 1)
                   for x, n in coming.items() if n]
        return max(mirrors + [-(-(moving + whole) // whole)])


def judge_round(c, one, full):
    """What does not hold of a round."""
    down = set(one["nodes"])
    moves = {m["instance"]: m for m in one["moves"]}
    free, disk = dict(c.free), dict(c.disk)
    for name, (memory, size, first, second, disks) in c.instances.items():
        if first in down and second in down:
            yield f"{name} is down with its mirror"
        to = moves.pop(name, None)
        held = first in down or (full and second in down)
        if disks == "plain":
            if to or (first in down) != (name in one["down"]):
                yield f"{name} moves, or is not named"
            continue
        if (to is not None) != held:
            yield f"{name} stays where it cannot, or moves for nothing"
        if not to:
            continue
        if to["primary"] in down or (second and to["primary"]
                                     not in (first, second)):
            yield f"{name} goes to {to['primary']}"
        if to["primary"] != first:
            free[to["primary"]] -= memory
        if full and second:
            if to["secondary"] in down | {to["primary"]}:
                yield f"the mirror of {name} goes to {to['secondary']}"
            disk[to["secondary"]] -= size
    yield from (f"{name} is nobody" for name in moves)
    yield from (f"{n} is over-full" for n in free
                if free[n] < min(1, c.free[n]) or disk[n] < min(1, c.disk[n]))


def row(a, folder, kind, nodes, count, options, above):
    path = os.path.join(folder, "cluster")
    with open(path, "w") as file:
        subprocess.run([sys.executable, GENERATOR, str(nodes), str(count),
                        kind, "--seed", str(a.seed)], stdout=file, check=True)
    subprocess.run([a.ours, "hbal", "-q", "-t", path, "-S", path],
                   capture_output=True, check=True)
    balanced = path + ".balanced"
    if not os.path.exists(balanced):
        balanced = path
    done = subprocess.run([a.ours, "hroller", "--output=json", "-q", "-t",
                           balanced] + options, capture_output=True, text=True)
    plan = json.loads(done.stdout)
    c = Cluster(balanced)
    wrong = [x for one in plan["rounds"]
             for x in judge_round(c, one, "--full-evacuation" in options)]
    seen = [n for one in plan["rounds"] for n in one["nodes"]]
    seen += [x["node"] for x in plan["stuck"]]
    if sorted(seen) != sorted(c.free):
        wrong.append("not each node is in one round or named")
    if done.returncode != (1 if plan["stuck"] else 0):
        wrong.append(f"exit code {done.returncode}")
    bound = max(c.clique(), c.capacity())
    if len(plan["rounds"]) > bound + above:
        wrong.append(f"more than {bound + above} rounds")
    print(f"{kind} {nodes}/{count} {' '.join(options)}: "
          f"{len(plan['rounds'])} rounds, at least {bound} (clique "
          f"{c.clique()}, capacity {c.capacity()}), {len(plan['stuck'])} nodes "
          f"stuck{''.join(chr(10) + '  ' + x for x in wrong[:5])}")
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        good = []
        for x in ROWS:
            for old in os.listdir(folder):
                os.remove(os.path.join(folder, old))
            good.append(row(a, folder, *x))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
