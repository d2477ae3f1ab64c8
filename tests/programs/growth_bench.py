#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What orderly costs in clusters of different sizes.

Plays, in the simulator, an hour of calm, one in which a rack loses its power,
and one in which many nodes ask to be evacuated, and prints CPU seconds and peak
memory of the whole process: cluster, network and laws included. Figures are no
tests.

  tests/programs/growth_bench.py --sim build/bin/orderly-sim
  tests/programs/growth_bench.py --sim new/orderly-sim --beside old/orderly-sim
"""

import argparse
import json
import os
import sys
import tempfile

# Nodes, instances, groups, nodes of a rack, nodes that ask. The largest is not
# asked: it would measure the planner, which empties one of 500 nodes at a time.
SIZES = ((40, 400, 2, 4, 8), (1000, 10000, 5, 40, 200),
         (5000, 50000, 10, 40, 0))

CALM = """world made-{nodes}-{instances}-{groups}
seed 1
run 1h
"""

RACK = """world made-{nodes}-{instances}-{groups}
seed 1
set budget.fences_per_hour_max 100
set budget.failovers_per_hour_max 2000
at 1s tag cluster add ganeti:watcher:autorepair:failover
{faults}run 1h
"""


# Twenty more a minute: fewer would be no load, and many more at once a crowd.
ASKED = """world made-{nodes}-{instances}-{groups}
seed 1
set maintenance.mode act
set maintenance.interval 1m
set maintenance.nodes_max 10
{reports}run 1h
"""


def drills(nodes, instances, groups, rack, asking):
    """The stories of a cluster of that size, by name."""
    width = len(str(nodes))
    faults = "".join("at 5m power node%0*d off\n" % (width, n)
                     for n in range(nodes // 4, nodes // 4 + rack))
    reports = "".join(
        "at %dm report node%0*d {\"status\": \"evacuate\"}\n"
        % (5 + n // 20, width, nodes // 10 + 2 * n) for n in range(asking))
    size = {"nodes": nodes, "instances": instances, "groups": groups}
    stories = {"calm": CALM.format(**size),
               "rack lost": RACK.format(faults=faults, **size)}
    if asking > 0:
        stories["asked"] = ASKED.format(reports=reports, **size)
    return stories


def play(sim, text):
    """CPU seconds and peak MiB of one process that plays it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "story.drill")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        pid = os.fork()
        if pid == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (1, 2):
                os.dup2(null, stream)
            os.execv(sim, [sim, "drill", path])
        _, status, usage = os.wait4(pid, 0)
    # 1: there is no transcript to compare with.
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit("%s drill failed with status %d" % (sim, status))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sim", required=True, help="an orderly-sim")
    parser.add_argument("--beside", help="another one, played in turn")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--nodes-max", type=int, default=5000,
                        help="leave larger clusters out")
    given = parser.parse_args()
    rows = []
    for size in SIZES:
        if size[0] > given.nodes_max:
            continue
        for story, text in drills(*size).items():
            row = {"nodes": size[0], "instances": size[1], "story": story}
            row["cpu_s"], row["mib"] = play(given.sim, text)
            if given.beside:
                row["beside_cpu_s"], row["beside_mib"] = play(given.beside,
                                                              text)
            rows.append(row)
            if not given.json:
                beside = ("  beside %7.2f s %5.0f MiB"
                          % (row["beside_cpu_s"], row["beside_mib"])
                          if given.beside else "")
                print("%5d nodes %6d instances  %-9s %7.2f s %5.0f MiB%s"
                      % (size[0], size[1], story, row["cpu_s"], row["mib"],
                         beside), flush=True)
    if given.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
