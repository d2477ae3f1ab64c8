#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Our hroller with --search=exact beside Debian's on small clusters.

The clusters are those of diff.py, some made so full that groups of
nodes have to be divided. Each is asked with options drawn from all that there
are, about a dozen times; lines and exit codes must be the same but for what
docs/htools.md lists. The first difference is shown. Ends with 77 if the
reference is not there.
"""
import collections
import concurrent.futures
import os
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the tree stays as it is
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from diff import (  # noqa: E402
    comparison_options, draw_cluster, first_difference, run)

REFERENCE = "/usr/bin/hroller"
SWITCHES = [["--offline-maintenance"], ["--skip-non-redundant"],
            ["--ignore-non-redundant"], ["--full-evacuation"],
            ["--one-step-only"], ["--print-moves"], ["--no-headers"], ["-v"],
            ["-vv"], ["-q"], ["-f"], ["--node-tags=rack:1,rack:2"],
            ["--node-tags=hv:x"]]
ENDS = {"Not enough capacity to move non-redundant instances": "no room",
        "Failed to migrate instances off nodes": "no migration",
        "Not enough capacity to move secondaries": "no room for mirrors",
        "Cannot create node graph": "no nodes", "No master node": "no master"}


def crowd(dice, path):
    """Takes memory, disk or spindles that are free from some nodes."""
    with open(path) as file:
        sections = file.read().split("\n\n")
    lines = sections[1].split("\n")
    part = dice.choice([0.2, 0.5, 0.9])
    for k, line in enumerate(lines):
        f = line.split("|")
        if "?" in line or dice.random() > part:
            continue
        if dice.random() < 0.7:
            f[3] = str(dice.choice([1, 5000, 15000]))
        if dice.random() < 0.4:
            f[5] = str(dice.choice([1, 60000, 400000]))
        lines[k] = "|".join(f)
    sections[1] = "\n".join(lines)
    with open(path, "w") as file:
        file.write("\n\n".join(sections))


def options_of(dice, path, groups):
    """Every single option, every pair of some, and what chance brings."""
    nodes = 1 + open(path).read().split("\n\n")[1].count("\n")
    for _ in range(4):
        for count in (1, 2, 5):
            chosen = [x for s in dice.sample(SWITCHES, count) for x in s]
            if dice.random() < 0.3:
                chosen += ["-G", dice.choice(groups + ["uuid-" + groups[0]])]
            if dice.random() < 0.2:
                name = f"node{dice.randint(1, nodes):04d}"
                chosen += ["-O", name + dice.choice(["", ".cl.example.com"])]
            yield chosen + ["-t", path]


class comparison:
    def __init__(self, arguments, ours):
        self.a = arguments
        self.ours = ours
        self.ends = collections.Counter()
        self.moves = 0
        self.crashed = 0
        self.different = 0

    def compare(self, seed, options):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            theirs, mine = pool.map(run, [REFERENCE, self.ours],
                                    [options, ["--search=exact"] + options])
        if theirs is None or "CallStack" in theirs[2]:
            self.crashed += 1
            return
        wrong = ("ours did not end" if mine is None
                 else first_difference(theirs, mine))
        if not wrong:
            ends = [short for text, short in ENDS.items() if text in theirs[2]]
            self.ends[ends[0] if theirs[0] and ends else "rounds"] += 1
            self.moves += theirs[1].count("\n  ")
            return
        self.different += 1
        print(f"cluster {seed}: {' '.join(options)}: {wrong}")
        if self.a.keep:
            kept = os.path.join(self.a.keep, f"{seed}-{self.different}")
            shutil.copy(options[-1], kept)
            print(f"  kept as {kept}")


def main():
    a = comparison_options(__doc__, stops=True).parse_args()
    if not os.path.exists(REFERENCE):
        print(f"SKIPPED: there is no {REFERENCE}; nothing was compared")
        return 77
    end = time.monotonic() + a.seconds
    clusters = 0
    with tempfile.TemporaryDirectory() as folder:
        ours = os.path.join(folder, "hroller")
        os.symlink(os.path.abspath(a.ours), ours)
        c = comparison(a, ours)
        for seed in range(a.first, a.first + a.clusters):
            if time.monotonic() > end or (c.different and not a.all):
                break
            drawn = draw_cluster(seed, folder)
            if not drawn:
                continue
            path, _, groups, dice = drawn
            if dice.random() < 0.5:
                crowd(dice, path)
            for options in options_of(dice, path, groups):
                c.compare(seed, options)
            clusters += 1
    counts = ", ".join(f"{end} {n}" for end, n in sorted(c.ends.items()))
    print(f"{clusters} clusters, the same answers: {counts}, with {c.moves} "
          f"moves; different: {c.different}; in {c.crashed} the reference "
          "crashed or took 20 s")
    enough = all(c.ends[x] >= 10 for x in ("rounds", "no room"))
    return 0 if enough and c.moves >= 20 and not c.different else 1


if __name__ == "__main__":
    sys.exit(main())
