#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Draws an imbalanced cluster and prints it in the text format of htools.

Nodes are of three sizes and differ in how popular they are; instances are
placed one by one where they fit, most with N+1 kept. The same arguments give
the same cluster.
"""

import argparse
import random
import sys

# tmem and nmem in MiB, tdsk in MiB, processors, spindles, weight
CLASSES = [(65536, 1024, 3 * 1024 * 1024, 16, 8, 35),
           (98304, 1536, 4 * 1024 * 1024, 24, 12, 40),
           (131072, 2048, 6 * 1024 * 1024, 32, 16, 25)]
MEMORY = [1024, 2048, 4096, 8192, 16384]
MEMORY_WEIGHTS = [20, 25, 30, 18, 7]
# Of each kind: up to which roll an instance has which template.
TEMPLATES = {"drbd": [(0.92, "drbd"), (1, "plain")],
             "shared": [(0.5, "rbd"), (0.95, "ext"), (1, "plain")],
             "mixed": [(0.45, "drbd"), (0.70, "rbd"), (0.92, "ext"),
                       (1, "plain")]}
POLICY = ("1024,1,10240,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|"
          "diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext|6.0|32.0")


class Node:
    def __init__(self, dice, number, count, groups, times):
        *size, _ = dice.choices(CLASSES, [x[5] for x in CLASSES])[0]
        self.name = f"node{number + 1:04d}.cl.example.com"
        self.total, self.own, self.disk, self.cpus, self.spindles = (
            x * times for x in size)
        self.free = self.total - self.own
        self.free_disk = self.disk
        self.group = number * groups // count
        self.offline = False
        # 15 % were added lately and are nearly empty.
        fresh = dice.random() < 0.15
        popular = 0.05 if fresh else dice.lognormvariate(0, 0.6)
        self.weight = popular * self.total / 98304
        self.peers = {}  # memory that it takes over, by primary

    def line(self, number):
        state = "Y" if self.offline else "M" if number == 0 else "N"
        return (f"{self.name}|{self.total}|{self.own}|{self.free}|{self.disk}|"
                f"{self.free_disk}|{self.cpus}|{state}|"
                f"uuid-group-{self.group + 1:02d}|{self.spindles}||N|0|1|1.0")


def place(dice, nodes, memory, disk, template):
    """Primary and secondary, or None where it does not fit."""
    local = template in ("drbd", "plain")
    for _ in range(60):
        home = dice.choices(nodes, [x.weight for x in nodes])[0]
        if home.free - memory < home.total * 0.04:
            continue
        if local and home.free_disk - disk < home.disk * 0.05:
            continue
        if template != "drbd":
            return home, None
        other = dice.choices(nodes, [x.weight for x in nodes])[0]
        if other is home or other.free_disk - disk < other.disk * 0.05:
            continue
        needed = max(other.peers.get(home.name, 0) + memory,
                     max(other.peers.values(), default=0))
        if dice.random() < 0.95 and needed >= other.free:
            continue
        return home, other
    return None


def draw_instance(dice, args, nodes, number):
    """Its line; None: there was no place."""
    memory = dice.choices(MEMORY, MEMORY_WEIGHTS)[0]
    cpus = dice.choice([1, 1, 2, 2, 4]) * (2 if memory >= 8192 else 1)
    disk = int(2 ** dice.uniform(13.3, 18.3))
    disk -= disk % 1024
    roll = dice.random()
    template = next(name for most, name in TEMPLATES[args.kind] if roll < most)
    group = dice.randrange(args.groups)
    near = [x for x in nodes if x.group == group]
    found = place(dice, near, memory, disk, template)
    if not found:
        for x in near:
            x.weight = x.weight * 0.9 + 0.1
        return None
    home, other = found
    home.free -= memory
    if template in ("drbd", "plain"):
        home.free_disk -= disk
    if other:
        other.free_disk -= disk
        other.peers[home.name] = other.peers.get(home.name, 0) + memory
    tag = ""
    if dice.random() < 0.06:
        tag = f"service:s{dice.randrange(max(2, args.insts // 60))}"
    return "|".join(map(str, (
        f"inst{number + 1:05d}.cl.example.com", memory, disk,
        min(8, max(1, cpus)), "running", "Y", home.name,
        other.name if other else "", template, tag, 1)))


def draw(args):
    dice = random.Random(f"{args.nodes}/{args.insts}/{args.kind}/{args.seed}")
    nodes = [Node(dice, i, args.nodes, args.groups, args.times)
             for i in range(args.nodes)]
    for x in dice.sample(nodes, args.offline):
        x.offline = True
    instances = []
    misses = 0
    while len(instances) < args.insts:
        line = draw_instance(dice, args, nodes, len(instances))
        if line:
            instances.append(line)
            continue
        misses += 1
        if misses > args.insts:
            sys.exit("cluster too full")
    return dice, nodes, instances


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nodes", type=int)
    parser.add_argument("insts", type=int)
    parser.add_argument("kind", choices=sorted(TEMPLATES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--groups", type=int, default=1)
    parser.add_argument("--offline", type=int, default=0,
                        help="nodes that are offline and still hold instances")
    parser.add_argument("--times", type=int, default=1,
                        help="nodes are so many times as large")
    parser.add_argument("--util", help="writes a file of dynamic load, too")
    args = parser.parse_args()
    dice, nodes, instances = draw(args)
    names = [f"group-{g + 1:02d}" for g in range(args.groups)]
    print("\n".join([*(f"{x}|uuid-{x}|preferred||" for x in names), "",
                     *(x.line(i) for i, x in enumerate(nodes)), "",
                     *instances, "", "htools:iextags:service", "",
                     "|" + POLICY, *(f"{x}|{POLICY}" for x in names)]))
    if args.util:
        with open(args.util, "w", encoding="ascii") as file:
            for line in instances:
                load = [dice.lognormvariate(-1, 0.8),
                        dice.lognormvariate(-1, 0.8),
                        dice.lognormvariate(-1.5, 1)]
                name = line.split("|")[0]
                file.write(f"{name} {load[0]:.3f} 1 {load[1]:.3f} "
                           f"{load[2]:.3f}\n")


if __name__ == "__main__":
    main()
