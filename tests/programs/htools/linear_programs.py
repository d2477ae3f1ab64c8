#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Bounds and proofs of the planner beside linear programs solved by GLPK.

On drawn clusters of small groups: whether hgroups says `cannot`, and what lacks,
must be what a program says in which instances are divisible and the nodes of a
group are one; hsqueeze's least number of nodes must be that of the program of
each of its figures, and no more than that of all of them together; in fewer
rounds than hroller's bound not all nodes may have a place. No plan may be better
than such a program. The programs are written from the file and docs/ alone.
Ends with 1 if anything differs, with 77 if glpsol is not there.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the tree stays as it is
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from glpk import Programs  # noqa: E402
from small_groups import POOLS, SPARE, Cluster  # noqa: E402


def may_enter(c, x, group):
    """The rules of docs/policies/groups.md."""
    home = c.group[x[0]]
    if x[6] or c.closed[home] or c.closed[group] or x[5] == "plain":
        return False
    if x[1] is not None and not (c.online[x[0]] or c.online[x[1]]):
        return False
    near = [n for n in c.nodes(group) if c.online[n]]
    reached = [n for n in near if POOLS[x[5]] in c.reach[n]]
    return (c.policy[group] != "unallocable"
            and len(reached) >= (1 if x[1] is None else 2))


def held(c, x):
    """What an instance takes where it is: memory, disk, CPUs."""
    there = c.online[x[0]]
    local = x[5] in ("drbd", "plain")
    halves = [n for n in x[:2] if n is not None and c.online[n]]
    return (x[2] if there else 0, x[3] * len(halves) if local else 0,
            x[4] if there else 0)


def wanted(x):
    return x[2], x[3] * {"drbd": 2, "plain": 1}.get(x[5], 0), x[4]


class Emptying:
    """Can this group be emptied? A program for memory, disk and CPUs each, in
    which parts of an instance go; and one for all of them."""

    def __init__(self, c, group, programs):
        self.c, self.group = c, group
        self.leaving = [k for k, x in enumerate(c.instances)
                        if c.group[x[0]] == group]
        self.others = [g for g in c.groups() if g != group]
        self.parts = []  # amounts, and where they may be
        for k, x in enumerate(c.instances):
            leaves = k in self.leaving
            places = [g for g in self.others
                      if g == c.group[x[0]] or may_enter(c, x, g)]
            self.parts.append((wanted(x) if leaves else held(c, x), places))
        self.room = {g: [0, 0, 0] for g in self.others}
        for n, g in enumerate(c.group):
            if g != group and c.online[n]:
                left = c.free[n] - 1, c.disk[n] - 1, c.cpus[n]
                for r in range(3):
                    self.room[g][r] += max(0, left[r])
        for x in c.instances:
            if c.group[x[0]] != group:
                for r, amount in enumerate(held(c, x)):
                    self.room[c.group[x[0]]][r] += amount
        self.single = [programs.add(*self.program([r])) for r in range(3)]
        self.joint = programs.add(*self.program(range(3)))

    def program(self, resources):
        """The greatest part of all that has a place: of one resource in its
        units, of all in instances."""
        alone = len(resources) == 1
        rows, target = [], []
        uses = {(g, r): [] for g in self.others for r in resources}
        for k, (amounts, places) in enumerate(self.parts):
            size = amounts[resources[0]] if alone else 1
            if size == 0:
                continue
            own = [(1, f"x_{k}_{g}") for g in places]
            rows.append((own, "<=", 1))
            target += [(size, name) for _, name in own]
            for g in places:
                for r in resources:
                    if amounts[r]:
                        uses[g, r].append((amounts[r], f"x_{k}_{g}"))
        rows += [(terms, "<=", self.room[g][r])
                 for (g, r), terms in uses.items()]
        return target, rows

    def fits(self, solved):
        return solved[self.joint] > len(self.parts) - 1e-6

    def kind(self, told, solved):
        if told["verdict"] == "not_found":
            return "not found, " + ("fits in parts" if self.fits(solved)
                                    else "as the program of all")
        lacks = told["lacks"]
        return told["verdict"] + (f" by {lacks['resource']}" if lacks else "")

    def differences(self, told, solved):
        c = self.c
        kept = {f"i{k}" for k in self.leaving
                if not any(may_enter(c, c.instances[k], g)
                           and any(c.online[n] for n in c.nodes(g))
                           for g in self.others)}
        verdict = told["verdict"]
        if {x["instance"] for x in told["kept"]} != kept:
            yield f"kept {told['kept']}, not {sorted(kept)}"
        missing = [round(sum(a[r] for a, _ in self.parts)
                         - solved[self.single[r]]) for r in range(3)]
        short = next((r for r in range(3) if missing[r] > 0), None)
        if kept or not self.leaving:
            short = None
        lacks = told["lacks"]
        expected = short if short is None else (
            ["memory_mib", "disk_mib", "cpus"][short], missing[short])
        said = lacks and (lacks["resource"], lacks["missing"])
        if said != expected:
            yield f"lacks {said}, not {expected}"
        if (verdict == "cannot") != bool(kept or short is not None):
            yield f"{verdict}, kept {sorted(kept)}, short {expected}"
        if verdict == "can" and self.leaving:
            if not self.fits(solved):
                yield f"can, but only {solved[self.joint]} have a place"


class Squeeze:
    """How many nodes must stay on, by each figure and by all of them."""

    def __init__(self, c, programs):
        self.count = len(c.group)
        movable = [x for x in c.instances if x[5] in ("ext", "rbd")]
        fixed = {0} | {n for x in c.instances if x not in movable
                       for n in x[:2] if n is not None}
        nodes = range(self.count)
        whole = [c.free[n] + sum(x[2] for x in movable if x[0] == n)
                 for n in nodes]
        cpus = [c.cpus[n] - SPARE[1] + sum(x[4] for x in movable if x[0] == n)
                for n in nodes]
        memory = sum(x[2] for x in movable)
        figures = [
            [([(w - SPARE[0] - 1, f"z_{n}") for n, w in enumerate(whole)],
              memory)],
            [([(w, f"z_{n}") for n, w in enumerate(cpus)],
              sum(x[4] for x in movable))],
            # Whoever is lost, the others take all.
            [([(w, f"z_{n}") for n, w in enumerate(whole) if n != lost],
              memory) for lost in nodes]]

        def program(chosen):
            # What cannot be reached costs more than all nodes.
            most = 10 * self.count
            rows = [([(1, f"z_{n}")], "=", 1) for n in sorted(fixed)]
            rows += [(terms + [(least + 1, "s")], ">=", least)
                     for terms, least in chosen]
            return ([(-1, f"z_{n}") for n in nodes] + [(-most, "s")], rows,
                    [f"z_{n}" for n in nodes] + ["s"])
        self.single = [programs.add(*program(x)) for x in figures]
        self.joint = programs.add(*program([x for f in figures for x in f]))

    def differences(self, told, solved):
        def least(k):
            return min(self.count, round(-solved[k]))
        if not told["was_well"]:
            return
        alone = max(map(least, self.single))
        if told["least"] != alone:
            yield f"at least {told['least']}, not {alone}"
        if not told["least"] <= least(self.joint) <= told["on_after"]:
            yield (f"at least {told['least']}, by all figures "
                   f"{least(self.joint)}, in the plan {told['on_after']}")


class Roll:
    """How many nodes have a place in one round less than the bound."""

    def __init__(self, c, told, programs):
        self.count = len(c.group)
        self.told = told
        self.bound = max(told["bound"].values())
        self.placed = programs.add(*self.program(c, self.bound - 1))

    def program(self, c, rounds):
        nodes = range(self.count)
        room = [max(0, x - 1) for x in c.free]
        pairs = {tuple(sorted(x[:2])) for x in c.instances
                 if x[1] is not None}
        comes = {}  # memory by where it comes from and goes to
        leaves = [0] * self.count
        for home, other, memory, *_, disks, _ in c.instances:
            if other is not None:
                comes[home, other] = comes.get((home, other), 0) + memory
            if disks != "plain":
                leaves[home] += memory
        rows = [([(1, f"x_{n}_{r}") for r in range(rounds)], "<=", 1)
                for n in nodes]
        for r in range(rounds):
            rows += [([(1, f"x_{a}_{r}"), (1, f"x_{b}_{r}")], "<=", 1)
                     for a, b in sorted(pairs)]
            rows += [([(m, f"x_{a}_{r}") for (a, b), m in comes.items()
                       if b == n], "<=", room[n]) for n in nodes]
            rows.append(([(leaves[n] + room[n], f"x_{n}_{r}") for n in nodes],
                         "<=", sum(room)))
        names = [f"x_{n}_{r}" for n in nodes for r in range(rounds)]
        return [(1, x) for x in names] or [(1, "x")], rows + [
            ([(1, "x")], "<=", 0)], names

    def differences(self, solved):
        if solved[self.placed] > self.count - 0.5:
            yield f"all have a place in {self.bound - 1} rounds"
        if len(self.told["rounds"]) < self.bound:
            yield f"{len(self.told['rounds'])} rounds, at least {self.bound}"


class Comparison:
    def __init__(self, ours, folder, seed):
        self.ours, self.folder, self.seed = ours, folder, seed
        self.wrong = []
        self.counts = {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def note(self, number, what, differences):
        self.wrong += [f"cluster {number}: {what}: {x}" for x in differences]

    def draw(self, number, kind):
        c = Cluster(random.Random(f"{self.seed}/{number}/{kind}"), kind)
        with open(self.path("cluster"), "w") as f:
            f.write(c.text())
        with open(self.path("pools"), "w") as f:
            f.write(c.pools())
        return c

    def path(self, name):
        return os.path.join(self.folder, name)

    def ask(self, *words):
        done = subprocess.run([self.ours, *words, "-t", self.path("cluster"),
                               "--output=json"], capture_output=True,
                              text=True)
        assert done.stdout, (words, done.stderr)
        return json.loads(done.stdout)

    def groups(self, number):
        c = self.draw(number, "groups")
        programs = Programs()
        all_of = [Emptying(c, g, programs) for g in c.groups()]
        solved = programs.greatest(self.path("program"))
        for g, x in enumerate(all_of):
            told = self.ask("hgroups", "empty", f"g{g}", "--group-moves=asked",
                            "--max-effort=20000", "--pools",
                            self.path("pools"))["verdicts"][0]
            self.count(x.kind(told, solved))
            self.note(number, f"empty g{g}", x.differences(told, solved))

    def squeeze(self, number):
        c = self.draw(number, "squeeze")
        programs = Programs()
        x = Squeeze(c, programs)
        solved = programs.greatest(self.path("program"))
        told = self.ask("hsqueeze")["groups"][0]
        self.count("squeezed" if told["was_well"] else "not well")
        self.note(number, "hsqueeze", x.differences(told, solved))

    def roll(self, number):
        c = self.draw(number, "roll")
        told = self.ask("hroller")
        if told["stuck"]:
            return self.count("stuck")
        programs = Programs()
        x = Roll(c, told, programs)
        self.count("at the bound" if len(told["rounds"]) == x.bound
                   else "above the bound")
        solved = programs.greatest(self.path("program"))
        return self.note(number, "hroller", x.differences(solved))


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--ours", default="build/bin/orderly-htools")
    p.add_argument("--clusters", type=int, default=100)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    if not shutil.which("glpsol"):
        print("glpsol is missing: install glpk-utils")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        x = Comparison(a.ours, folder, a.seed)
        for number in range(a.clusters):
            x.groups(number)
            x.squeeze(number)
            x.roll(number)
    print(f"{a.clusters} clusters of each kind: {x.counts}")
    print("\n".join(x.wrong[:20]))
    print(f"{len(x.wrong)} differences")
    return 1 if x.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
