# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""The power status of all nodes: Ganeti's command beside orderly's, each with
controllers that take 0.2 s."""
import subprocess
import time

from bed import wait_until
from daemon import Daemon

NODES = ["node%d" % i for i in range(1, 7)]
ROUNDS = 5


def timed(command, **more):
    """(seconds, output) of the fastest of some rounds, all of which end
    well."""
    best = None
    for _ in range(ROUNDS):
        began = time.monotonic()
        text = command(**more)
        took = time.monotonic() - began
        if best is None or took < best[0]:
            best = (took, text)
    return best


def compare(bed, args):
    """Rows for a table, each with the seconds and the nodes that were read."""
    bed.restore()
    for node in NODES:
        bed.call("oob", node, "slow")
    daemon = Daemon(bed, args.orderlyd, args.orderly, "bench-power")
    try:
        daemon.start()
        wait_until(20, "orderlyd is ready", daemon.ready,
                   story=daemon.last_words)
        wait_until(20, "orderlyd knows the nodes",
                   lambda: len(daemon.ask("nodes")["nodes"]) == len(NODES))

        def ours():
            return subprocess.run(
                [daemon.cli, "power", "status", "--socket", daemon.socket],
                stdout=subprocess.PIPE, text=True, timeout=60,
                check=True).stdout
        rows = [("orderly power status", *timed(ours)),
                ("gnt-node power status", *timed(
                    lambda: bed.master("gnt-node", "power", "status")))]
        daemon.stop()
    finally:
        daemon.discard()
        for node in NODES:
            bed.call("oob", node, "ok")
    # Each prints a line a node, under a title.
    return [{"name": name, "seconds": round(took, 2),
             "nodes": sum(".gnt.test" in line for line in text.splitlines())}
            for name, took, text in rows]


def table(rows):
    lines = ["%-30s %-8s %10s" % ("controllers that take 0.2 s", "nodes",
                                  "seconds")]
    lines += ["%-30s %-8d %10.2f" % (row["name"], row["nodes"],
                                     row["seconds"]) for row in rows]
    return "\n".join(lines)
