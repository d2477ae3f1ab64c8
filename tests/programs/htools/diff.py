#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Our hbal beside Debian's on generated small clusters.

Each cluster comes from a seed: the generator's, with statuses, tags, offline
nodes, loads, policies and odd sizes drawn on top. Both programs read the same
file with the same options; lines, tables, commands and exit codes must be the
same, and the reference must score the end of a fast plan as we do. The first
difference is shown with the file that makes it. Ends with 77 if the reference
is not there.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

GENERATOR = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                         "gen.py")
STATUSES = ["ADMIN_down", "ADMIN_offline", "ERROR_down", "ERROR_up",
            "ERROR_nodedown", "USER_down"]
SWITCHES = [["-E"], ["--no-disk-moves"], ["--no-instance-moves"],
            ["--restricted-migration"], ["--ignore-soft-errors"],
            ["--ignore-dynu"], ["--min-disk=0.3"], ["--max-cpu=0.5"],
            ["-e", "1"], ["-g", "0.5", "--min-gain-limit=100"], ["-l", "2"],
            ["--exclusion-tags=owner"], ["-q"]]


def draw_cluster(seed, folder):
    """A text file, a load file or None, and the names of its groups."""
    dice = random.Random(f"htools-diff-{seed}")
    nodes = dice.randint(2, 10)
    groups = 2 if nodes >= 6 and dice.random() < 0.3 else 1
    util = os.path.join(folder, "load")
    text = subprocess.run(
        [sys.executable, GENERATOR, str(nodes), str(dice.randint(1, nodes * 4)),
         dice.choice(["drbd", "shared", "mixed"]), "--seed", str(seed),
         "--groups", str(groups), "--util", util,
         "--offline", str(dice.choice([0, 0, 0, 1]))],
        capture_output=True, text=True)
    if text.returncode != 0:
        return None
    sections = [s.split("\n") for s in text.stdout.rstrip("\n").split("\n\n")]
    warp_nodes(dice, sections[1])
    warp_instances(dice, sections[2], nodes)
    warp_tags(dice, sections[3])
    if dice.random() < 0.2:
        sections[4] = [line.replace("|6.0|32.0", "|1.0|0.5")
                       for line in sections[4]]
    path = os.path.join(folder, "cluster")
    with open(path, "w") as f:
        f.write("\n\n".join("\n".join(s) for s in sections) + "\n")
    names = [line.split("|")[0] for line in sections[0]]
    return path, util if dice.random() < 0.3 else None, names, dice


def warp_nodes(dice, lines):
    tags = ["power:a", "power:b", "rack:1", "rack:2", "hv:x", "hv:y", "hv:z"]
    exclusive = dice.random() < 0.08
    warped = dice.random() < 0.5
    for k, line in enumerate(lines):
        f = line.split("|")
        if warped and dice.random() < 0.3:
            f[3] = str(max(0, int(f[3]) + dice.choice([-3000, 900, -200000])))
        if warped and dice.random() < 0.1:
            f[4] = f[5] = "0"
        if warped and dice.random() < 0.2:
            f[13], f[14] = "4", dice.choice(["0.5", "1.5"])
        if warped and dice.random() < 0.05:
            f[1] = "?"
        if dice.random() < 0.5:
            f[10] = ",".join(dice.sample(tags, 2))
        if exclusive:
            f[9], f[11], f[12] = "20", "Y", str(dice.randint(2, 18))
        lines[k] = "|".join(f)


def warp_instances(dice, lines, nodes):
    warped = dice.random() < 0.6
    tags = ["service:a", "service:b", "owner:c", "power:a", "rack:2"]
    for k, line in enumerate(lines):
        f = line.split("|")
        f += ["-", "N"]
        if not warped:
            continue
        if dice.random() < 0.2:
            f[4] = dice.choice(STATUSES)
        if dice.random() < 0.1:
            f[5] = "N"
        if dice.random() < 0.3:
            f[9] = ",".join(dice.sample(tags, dice.randint(1, 2)))
        if dice.random() < 0.2:
            f[10], f[11] = str(dice.randint(1, 5)), str(dice.randint(1, 3))
        if dice.random() < 0.1:
            f[12] = "Y"
        lines[k] = "|".join(f)


def warp_tags(dice, lines):
    for tag in ["htools:nlocation:power", "htools:nlocation:rack",
                "htools:desiredlocation:power", "htools:desiredlocation:rack",
                "htools:migration:hv", "htools:migration:hv",
                "htools:allowmigration:hv:x::hv:y",
                "htools:iextags:owner:"]:
        if dice.random() < 0.12:
            lines.append(tag)


def draw_monitors(seed, path):
    """Options with which the load is what the monitors of nodes say, in a file
    beside the cluster; none for most clusters."""
    dice = random.Random(f"htools-diff-monitors-{seed}")
    if dice.random() > 0.3:
        return []
    with open(path) as f:
        sections = f.read().split("\n\n")
    nodes = [line.split("|") for line in sections[1].split("\n")]
    xen = dice.random() < 0.3
    # An offline node needs no report here, but there; so all of them have one.
    silent = dice.choice([n[0] for n in nodes
                          if n[7] != "Y" and "?" not in n] or [""])
    if dice.random() < 0.7:
        silent = ""
    rows = []
    for n in nodes:
        # Binary digits: a sum is the same in whatever order.
        data = {"cpu_number": 2, "cpus": [0.5],
                "cpu_total": dice.randrange(65) / 8}
        if xen:
            data = {f[0]: dice.randrange(65) / 32
                    for f in (line.split("|")
                              for line in sections[2].split("\n"))
                    if len(f) > 6 and f[6] == n[0]}
        report = {"name": "xen-cpu-avg-load" if xen else "cpu-avg-load",
                  "version": "B", "format_version": 1, "timestamp": 1,
                  "category": None, "kind": 0, "data": data}
        rows.append({"node": n[0],
                     "reports": [] if n[0] == silent else [report]})
    where = os.path.join(os.path.dirname(path), "monitors")
    with open(where, "w") as f:
        json.dump(rows, f)
    return (["--mond=yes", "--mond-data", where] + ["--mond-xen"] * xen
            + ["--exit-on-missing-mond-data"] * (dice.random() < 0.3))


def run(program, arguments):
    try:
        done = subprocess.run([program] + arguments, capture_output=True,
                              text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return None
    # The reference shows its policy as a Haskell value.
    out = "\n".join(line for line in done.stdout.split("\n")
                    if not line.startswith("Loaded cluster ipolicy"))
    # Ours says of the monitors who is silent, too.
    err = re.sub(r"(data will be ignored|No CPU information available for \[.*\])"
                 r"[.:].*", r"\1", done.stderr)
    return done.returncode, out, err


def first_difference(a, b):
    if a[0] != b[0]:
        return f"exit code {a[0]} and {b[0]}"
    for x, y in zip(a[1:], b[1:]):
        for p, q in zip(x.split("\n") + [""], y.split("\n") + [""]):
            if p != q:
                return f"\n  reference: {p}\n  ours:      {q}"
        if x != y:
            return "one says more than the other"
    return None


def scores_at_end(reference, ours, search, options, folder):
    """What a plan says it ends at, and what the reference reads there."""
    end = os.path.join(folder, "end")
    plan = run(ours, ["--n1-rule=3.0", search, "-S", end] + options)
    final = plan and re.search(r"Final coefficients:   overall ([0-9.]+)",
                               plan[1])
    if not final:
        return None
    again = run(reference, ["-t", end + ".balanced"] + options[2:]
                + ["-l", "0"])
    first = again and re.search(r"Initial coefficients: overall ([0-9.]+)",
                                again[1])
    return first and (final.group(1), first.group(1))


def end_differs(reference, ours, options, folder):
    """Does the reference score the end of a fast plan otherwise? What a file
    cannot say counts for nothing, since the end of the exact plan differs in
    it too: what disks of forthcoming instances leave, and N+1 of nodes that
    moves touched, which 3.0 judges by another rule at the start."""
    fast = scores_at_end(reference, ours, "--search=fast", options, folder)
    if not fast or fast[0] == fast[1]:
        return None
    exact = scores_at_end(reference, ours, "--search=exact", options, folder)
    if exact and exact[0] != exact[1]:
        return None
    return f"the fast plan ends at {fast[0]}, the reference reads {fast[1]}"


def comparison_options(text, stops):
    """What each script takes that compares drawn clusters. `stops`: it ends at
    the first difference."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--clusters", type=int, default=300)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=100)
    parser.add_argument("--keep", help="folder for files that differ")
    if stops:
        parser.add_argument("--all", action="store_true",
                            help="go on after a difference")
    return parser


def main():
    parser = comparison_options(__doc__, stops=False)
    parser.add_argument("--reference", default="/usr/bin/hbal")
    a = parser.parse_args()
    if not os.path.exists(a.reference):
        print(f"SKIPPED: there is no {a.reference}; nothing was compared")
        return 77
    end = time.monotonic() + a.seconds
    same = moves = crashed = monitored = 0
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, "hbal")
        os.symlink(os.path.abspath(a.ours), link)
        for seed in range(a.first, a.first + a.clusters):
            if time.monotonic() > end:
                break
            drawn = draw_cluster(seed, folder)
            if not drawn:
                continue
            path, load, groups, dice = drawn
            options = ["-t", path, "-C", "-p", "--print-instances", "-vvv",
                       "-l", "40"]
            for s in dice.sample(SWITCHES, dice.choice([0, 0, 1, 1, 2])):
                options += s
            if load:
                options += ["-U", load]
            if len(groups) > 1 and dice.random() < 0.9:
                options += ["-G", dice.choice(groups)]
            monitors = draw_monitors(seed, path)
            monitored += bool(monitors)
            options += monitors
            theirs = run(a.reference, options)
            if theirs is None or "CallStack" in theirs[2]:
                crashed += 1
                continue
            ours = run(link, ["--n1-rule=3.0", "--search=exact"] + options)
            wrong = ("ours did not end" if ours is None
                     else first_difference(theirs, ours)
                     # A node's load is of those who were there before.
                     or (None if monitors else
                         end_differs(a.reference, link, options, folder)))
            if wrong:
                print(f"cluster {seed}: {' '.join(options)}: {wrong}")
                if a.keep:
                    shutil.copy(path, os.path.join(a.keep, f"{seed}.txt"))
                    shutil.copy(path[:-7] + "load",
                                os.path.join(a.keep, f"{seed}.load"))
                    continue
                return 1
            same += 1
            moves += theirs[1].count(" a=")
    print(f"{same} clusters with {moves} moves are the same, "
          f"{monitored} of them with what monitors say; in {crashed} the "
          "reference crashed or took 20 s")
    return 0 if same >= 20 and moves >= 20 and monitored >= 5 else 1


if __name__ == "__main__":
    sys.exit(main())
