#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Plays the drill of README.md as a newcomer would: its transcript has to be
the one that stands there, and with a controller that lies nothing restarts. So
does the one of docs/TOUR.md: it has to show what the tour says of it.

usage: readme_drill.py ORDERLY-SIM SOURCE-TREE
"""

import pathlib
import subprocess
import sys
import tempfile


def blocks(text):
    """The texts between fences, without the fences."""
    return [part.split("\n", 1)[1] for part in text.split("```")[1::2]]


def play(sim, drill, folder):
    file = pathlib.Path(folder) / "my.drill"
    file.write_text(drill)
    run = subprocess.run([sim, "drill", "--show", str(file)], text=True,
                         capture_output=True, timeout=60, check=False)
    return run.stdout.splitlines()


def second_of(line):
    """Of `+3m35s   node2   ...`."""
    minutes, seconds = line.split()[0].lstrip("+").rstrip("s").split("m")
    return 60 * int(minutes) + int(seconds)


def faults_of_tour(sim, tree, folder):
    """What the drill of the last section does not show, in sentences."""
    tour = blocks((tree / "docs/TOUR.md").read_text())
    drill = next(x for x in tour if "\n----\n" in x)
    drill = drill.replace("config ../../../configs", f"config {tree}/configs")
    got = play(sim, drill, folder)
    degraded, again = (
        [second_of(x) for x in got if what in x]
        for what in (" degraded: ", " suspect: degraded period over"))
    result = []
    if not degraded or not again:
        result.append(f"node2 is never degraded and looked at again: {got}")
    result += [f"looked at again at {at} s, not a minute after it was degraded"
               for at in again if at - 60 not in degraded]
    healed = [x for x in got if " world " in x and " heal" in x]
    well = [x for x in got if " available: health check passed" in x]
    if not healed or not well or second_of(well[-1]) < second_of(healed[0]):
        result.append("node2 is not available after the network was healed")
    return result


def main(sim, tree):
    tree = pathlib.Path(tree)
    readme = blocks((tree / "README.md").read_text())
    drill = next(x for x in readme if "\n----\n" in x)
    shown = next(x for x in readme if x.startswith("+0m00s"))
    # A drill names its settings from where it lies: in the source tree.
    drill = drill.replace("config configs", f"config {tree}/configs")
    with tempfile.TemporaryDirectory() as folder:
        got = play(sim, drill, folder)
        lies = play(sim, drill.replace(
            "at 2m", "at 1m bmc node3 lies-on\nat 2m"), folder)
        tour = faults_of_tour(sim, tree, folder)
    for line in tour:
        print(f"docs/TOUR.md: {line}")
    wrong = len(tour)
    at = 0
    for line in shown.splitlines():
        if line == "...":
            continue
        if line in got[at:]:
            at = got.index(line, at) + 1
        else:
            wrong += 1
            print(f"README.md shows a line that does not come: {line}")
    if len(got) < 10:
        sys.exit(f"the drill was not played: {got}")
    for line in lies:
        if " world " in line and " runs on " in line:
            wrong += 1
            print(f"restarted without proof: {line}")
    if not any("node3" in line for line in lies):
        sys.exit(f"the second drill was not played: {lies}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
