# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Draws clusters of a few small groups, for linear_programs.py.

The same dice give the same cluster. Its figures are there beside the text, so
that nobody has to read it to judge it.
"""
import json

MEMORY, DISK, CPUS = 10000, 100000, 8
RATIO = 4
STANDARD = (256, 2)  # MiB and virtual CPUs
SPARE = tuple(2 * x for x in STANDARD)  # of hsqueeze, by its default
POLICY = (f"{STANDARD[0]},{STANDARD[1]},1024,1,1,1|1,1,1,1,1,1;1048576,64,"
          f"1048576,16,8,64|ext,rbd,drbd,plain|{RATIO}.0|1000.0")
POOLS = {"ext": "external/a", "rbd": "external/b", "drbd": "internal/lvm",
         "plain": "internal/lvm"}
FORBIDDEN = "htools:groupmoves:none"


class Cluster:
    """Nodes are numbers; group g has those that `group` says."""

    def __init__(self, dice, kind):
        self.dice = dice
        self.kind = kind
        self.group, self.online, self.reach = [], [], []
        self.policy, self.closed = [], []
        self.instances = []  # home, mirror or None, memory, disk, cpus, ...
        spread = kind == "groups"
        for g in range(dice.randint(2, 4) if spread else 1):
            self.policy.append(dice.choices(
                ["preferred", "last_resort", "unallocable"],
                [8, 1, 1])[0] if spread else "preferred")
            self.closed.append(spread and dice.random() < 0.04)
            pools = [p for p in sorted(set(POOLS.values()))
                     if not spread or dice.random() < 0.85]
            for _ in range(dice.randint(2, 4) if spread
                           else dice.randint(4, 8)):
                self.group.append(g)
                self.online.append(True)
                self.reach.append(pools)
        if spread and dice.random() < 0.3:
            self.online[dice.randrange(len(self.online))] = False
        self.free = [MEMORY] * len(self.group)
        self.disk = [DISK] * len(self.group)
        # The node itself takes one, as in the reference.
        self.cpus = [CPUS * RATIO - 1] * len(self.group)
        most = {"groups": dice.uniform(0.4, 1.6), "squeeze": 0.5,
                "roll": 0.8}[kind]
        for n in range(len(self.group)):
            self.fill(n, dice.uniform(0, most))

    def fill(self, n, part):
        d = self.dice
        near = [m for m in self.nodes(self.group[n]) if m != n]
        weights = {"groups": (5, 3, 3, 0.03), "squeeze": (9, 4, 0.3, 0.3),
                   "roll": (2, 1, 5, 0.5)}[self.kind]
        for _ in range(12):
            memory = 250 * d.randint(1, 10)
            # Now and then what lacks is CPUs, or disk.
            cpus = d.choice([1, 1, 2, 4, 8])
            size = 1000 * d.choice([1, 2, 4, 8, 30])
            disks = d.choices(list(POOLS), weights)[0]
            other = d.choice(near) if disks == "drbd" and near else None
            if disks == "drbd" and other is None:
                continue
            halves = [x for x in (n, other) if x is not None]
            local = size if disks in ("drbd", "plain") else 0
            if (MEMORY - self.free[n] + memory > part * MEMORY
                    or self.cpus[n] < cpus
                    or any(self.disk[x] - local < 1 for x in halves)):
                continue
            self.free[n] -= memory
            self.cpus[n] -= cpus
            for x in halves:
                self.disk[x] -= local
            self.instances.append((n, other, memory, size, cpus, disks,
                                   self.kind == "groups"
                                   and d.random() < 0.01))

    def nodes(self, group):
        return [n for n, g in enumerate(self.group) if g == group]

    def groups(self):
        return range(len(self.policy))

    def text(self):
        lines = [f"g{g}|u{g}|{x}|{FORBIDDEN if self.closed[g] else ''}|"
                 for g, x in enumerate(self.policy)] + [""]
        for n, g in enumerate(self.group):
            state = "Y" if not self.online[n] else "M" if n == 0 else "N"
            lines.append(f"n{n}|{MEMORY}|0|{self.free[n]}|{DISK}|"
                         f"{self.disk[n]}|{CPUS}|{state}|u{g}|64||N|0|1|1.0")
        lines.append("")
        for k, x in enumerate(self.instances):
            other = "" if x[1] is None else f"n{x[1]}"
            lines.append(f"i{k}|{x[2]}|{x[3]}|{x[4]}|running|Y|n{x[0]}|{other}|"
                         f"{x[5]}|{FORBIDDEN if x[6] else ''}|1")
        lines += ["", "", f"|{POLICY}"]
        lines += [f"g{g}|{POLICY}" for g in self.groups()]
        return "\n".join(lines) + "\n"

    def pools(self):
        return json.dumps({
            "templates": {k: x for k, x in POOLS.items()
                          if x.startswith("external")},
            "nodes": {f"n{n}": x for n, x in enumerate(self.reach)}})
