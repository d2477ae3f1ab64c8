#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Our hsqueeze beside Debian's on generated small clusters.

The clusters are those of diff.py, most of them with their instances on
shared storage and fewer of them, so that nodes could be off, and with nodes
that are off already, with and without figures and standby tags. Lines,
commands, saved files and exit codes of the exact search must be the same but
for what docs/htools.md lists. Of the fast search, what it switches off must
hold nothing afterwards, and instances must stay in their groups; of larger
clusters it must come near its bound. The first difference is shown. Ends with 77 if the reference is not there.
"""
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the tree stays as it is
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from diff import (  # noqa: E402
    GENERATOR, comparison_options, draw_cluster, first_difference, run)

STANDBY = ["htools:standby:auto", "htools:standby:night", "htools:standby"]
POLICY = "1024,1,10240,1,1,1"


def sections_of(path):
    """The lines of each section; one empty line ends a section."""
    parts = [[]]
    with open(path) as file:
        for line in file.read().split("\n"):
            if line:
                parts[-1].append(line)
            else:
                parts.append([])
    return parts[:5]


def share_storage(dice, lines):
    """Most instances could be anywhere, and there are fewer of them."""
    part = dice.choice([0.2, 0.5, 0.8, 1])
    local = dice.choice([0, 0, 0, 0.05, 0.2])
    result = []
    for line in lines:
        f = line.split("|")
        if dice.random() > part:
            continue
        if f[8] in ("drbd", "plain") and dice.random() >= local:
            f[8], f[7] = dice.choice(["ext", "rbd", "sharedfile"]), ""
        if dice.random() < 0.02:
            f[8], f[7] = dice.choice(["file", "diskless"]), ""
        result.append("|".join(f))
    return result


def switch_nodes(dice, lines, instances):
    """Some nodes are off; then most hold nothing."""
    used = {x for line in instances for x in line.split("|")[6:8]}
    off = dice.choice([0, 0, 0.2, 0.5])
    unknown = dice.random() < 0.3
    for k, line in enumerate(lines):
        f = line.split("|")
        if f[7] == "N" and dice.random() < (off if f[0] not in used else 0.02):
            f[7] = "Y"
            if unknown and dice.random() < 0.5:
                f[1:7] = ["?"] * 6
        if dice.random() < 0.6:
            f[10] = ",".join([x for x in f[10].split(",") if x]
                             + [dice.choice(STANDBY)])
        if k > 0 and f[7] == "M" and dice.random() < 0.5:
            f[7] = "N"
        lines[k] = "|".join(f)


def empty_some_nodes(dice, nodes, instances):
    """Instances of a few nodes go to others, wherever there is room: only
    then can nodes be off from the start."""
    names = [n.split("|")[0] for n in nodes]
    emptied = set(dice.sample(names, dice.randint(0, len(names) // 2)))
    kept = []
    for line in instances:
        f = line.split("|")
        if f[6] in emptied or f[7] in emptied:
            continue
        kept.append(line)
    return kept


def draw(seed, folder):
    drawn = draw_cluster(seed, folder)
    if not drawn:
        return None
    path, _, _, dice = drawn
    parts = sections_of(path)
    parts[2] = share_storage(dice, parts[2])
    parts[2] = empty_some_nodes(dice, parts[1], parts[2])
    switch_nodes(dice, parts[1], parts[2])
    if dice.random() < 0.2:
        size = f"{dice.choice([4096, 16384])},{dice.choice([1, 8])},10240,1,1,1"
        parts[4] = [x.replace(POLICY, size, 1) for x in parts[4]]
    with open(path, "w") as file:
        file.write("\n".join("".join(x + "\n" for x in s) for s in parts))
    return path, dice


def options_of(dice):
    result = []
    for name in ("minimal", "target"):
        if dice.random() < 0.5:
            factor = dice.choice(["0", "0.5", "1.3", "4", "8", "30", "60"])
            result.append(f"--{name}-resources={factor}")
    if dice.random() < 0.2:
        result.append("--no-headers")
    return result + ["-v"] * dice.choice([0, 1, 2])


def saved(folder, name):
    """What was saved, without the free memory of nodes: the reference leaves
    there what was before the moves, and writes 0 for what is not known."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return None
    parts = sections_of(path)
    os.remove(path)
    for k, line in enumerate(parts[1]):
        f = line.split("|")
        f[3] = ""
        parts[1][k] = "|".join(f)
    return parts


class comparison:
    def __init__(self, arguments, folder):
        self.a = arguments
        self.folder = folder
        self.counts = collections.Counter()

    def cluster(self, seed):
        """Empty, or what differs."""
        drawn = draw(seed, self.folder)
        if not drawn:
            return None
        path, dice = drawn
        options = ["-t", path, "-C"] + options_of(dice)
        theirs = ["-S", os.path.join(self.folder, "theirs")]
        ours = ["-S", os.path.join(self.folder, "ours"), "--n1-rule=3.0",
                "--search=exact"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            a, b = pool.map(lambda x: run(*x), [
                (self.a.reference, options + theirs),
                (self.link(), options + ours)])
        if a is None or "CallStack" in a[2]:
            self.counts["crashed"] += 1
            saved(self.folder, "ours.original")
            saved(self.folder, "ours.squeezed")
            return None
        wrong = self.exact_differs(a, b) or self.fast_is_wrong(path, options)
        if wrong:
            if self.a.keep:
                shutil.copy(path, os.path.join(self.a.keep, f"{seed}.txt"))
            return f"cluster {seed}: {' '.join(options)}: {wrong}"
        self.counts["same"] += 1
        for word, what in (("power -f off", "off"), ("power -f on", "on"),
                           ("gnt-instance", "moves")):
            self.counts[what] += a[1].count(word)
        return None

    def link(self):
        return os.path.join(self.folder, "hsqueeze")

    def exact_differs(self, a, b):
        if b is None:
            return "ours did not end"
        a = (a[0], a[1], a[2].replace("/theirs.", "/ours."))
        wrong = first_difference(a, b)
        files = [(saved(self.folder, f"theirs.{x}"),
                  saved(self.folder, f"ours.{x}"))
                 for x in ("original", "squeezed")]
        if wrong:
            return wrong
        for mine, other in files:
            if mine != other:
                lines = [(p, q) for s, t in zip(mine, other)
                         for p, q in zip(s, t) if p != q]
                return f"saved files differ: {lines[:1]}"
        return None

    def fast_is_wrong(self, path, options):
        before = sections_of(path)
        done = run(self.link(), options + ["-S", os.path.join(self.folder,
                                                              "fast")])
        if done is None or done[0] != 0:
            return f"the fast search ended with {done}"
        end = os.path.join(self.folder, "fast.squeezed")
        after = sections_of(end)
        group = {x.split("|")[0]: x.split("|")[8] for x in before[1]}
        was_on = {x.split("|")[0] for x in before[1]
                  if x.split("|")[7] != "Y" and "?" not in x.split("|")[1:7]}
        is_off = {x.split("|")[0] for x in after[1] if x.split("|")[7] == "Y"}
        self.counts["fast off"] += len(was_on & is_off)
        for old, new in zip(before[2], after[2]):
            f, g = old.split("|"), new.split("|")
            if group[f[6]] != group[g[6]]:
                return f"the fast search moves {f[0]} to another group"
            if was_on & is_off & {g[6], g[7]}:
                return f"{f[0]} is on {g[6]}, which is off"
        return None


# Nodes, instances, and how many nodes more than the bound may be on.
FIGURES = [(20, 150, 0), (40, 300, 1), (1000, 10000, 12)]
MOVES_OF_FIRST = 80


def figures_are_bad(program, folder):
    """The fast search on larger clusters without local disks: near the bound,
    and in time. Empty, or what is not so."""
    for nodes, instances, more in FIGURES:
        drawn = subprocess.run(
            [sys.executable, GENERATOR, str(nodes), str(instances), "shared",
             "--seed", "1"], capture_output=True, text=True, check=True)
        path = os.path.join(folder, "large")
        with open(path, "w") as file:
            file.write("".join(x + "\n" for x in drawn.stdout.split("\n")[:-1]
                               if "|plain|" not in x))
        done = subprocess.run([program, "-t", path, "--output=json"],
                              capture_output=True, text=True, timeout=60)
        plan = json.loads(done.stdout)
        group = plan["groups"][0]
        print(f"{nodes} nodes, {instances} instances: {group['on_after']} on, "
              f"no fewer than {group['least']} can be, "
              f"{len(plan['steps'])} moves")
        if group["on_after"] > group["least"] + more:
            return "that are too many nodes"
        if nodes == FIGURES[0][0] and len(plan["steps"]) > MOVES_OF_FIRST:
            return "that are too many moves"
    return None


def main():
    parser = comparison_options(__doc__, stops=True)
    parser.add_argument("--reference", default="/usr/bin/hsqueeze")
    a = parser.parse_args()
    if not os.path.exists(a.reference):
        print(f"SKIPPED: there is no {a.reference}; nothing was compared")
        return 77
    end = time.monotonic() + a.seconds
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        c = comparison(a, folder)
        os.symlink(os.path.abspath(a.ours), c.link())
        wrong = figures_are_bad(c.link(), folder)
        if wrong:
            print(wrong)
            return 1
        for seed in range(a.first, a.first + a.clusters):
            if time.monotonic() > end:
                break
            wrong = c.cluster(seed)
            if wrong:
                print(wrong)
                different += 1
                if not a.all:
                    break
    n = c.counts
    print(f"{n['same']} clusters are the same, with {n['off']} nodes off, "
          f"{n['on']} on and {n['moves']} moves; the fast search switches "
          f"{n['fast off']} off; different: {different}; in {n['crashed']} "
          "the reference crashed or took 20 s")
    enough = n["same"] >= 20 and min(n["off"], n["on"], n["moves"]) >= 20
    return 0 if enough and not different else 1


if __name__ == "__main__":
    sys.exit(main())
