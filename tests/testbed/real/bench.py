#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""One dead node with six drbd instances: orderlyd beside Ganeti's own harep.

harep runs every 5 s. The clock starts when the node is marked offline, for
each on the same testbed, restored in between. Exit 0: ours took no more than
half of the time and half of the jobs; 1: it took more, or did not finish; 77:
no testbed can run on this machine. Then the power status of all six nodes, by
gnt-node and by orderly; ours must not take longer.
"""
import argparse
import json
import os
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True  # nothing is left beside the sources

import bench_power
from bed import PREFIX, Bed, Failed, full, tag_op
from daemon import Daemon

LAYOUT = """
  drbd@node2:node3 drbd@node2:node1 drbd@node2:node3
  drbd@node2:node1 drbd@node2:node3 drbd@node2:node1
"""
HALF = 0.5
CALM = 20  # seconds without a pending tag: harep has given up

# All else as by default.
CONFIG = """\
[autorepair]
enabled = true
[journal]
path = "%(folder)s/journal.db"
[http]
socket = "%(folder)s/orderly.sock"
"""


def say(text):
    print(text, file=sys.stderr, flush=True)


class Loop(threading.Thread):
    """harep -L, every 5 s, as long as it is wanted."""

    def __init__(self, bed, helped):
        super().__init__(daemon=True)
        self.bed, self.helped = bed, helped
        self.over = threading.Event()
        self.passes = 0

    def run(self):
        while not self.over.is_set():
            began = time.monotonic()
            self.bed.call("on", "node1", "harep", "-L", check=False)
            self.passes += 1
            if self.helped:
                self.forgive()
            self.over.wait(max(0, 5 - (time.monotonic() - began)))

    def forgive(self):
        """Removes failure tags at once, as an attentive admin would."""
        for name, row in self.bed.instances().items():
            for tag in row["tags"]:
                if tag.startswith(PREFIX) and ":failure:" in tag:
                    self.bed.do(tag_op("OP_TAGS_DEL", "instance", full(name),
                                       tag))

    def end(self):
        self.over.set()
        self.join(120)


class Race:
    """One contender and what came of it."""

    def __init__(self, bed, name):
        self.bed, self.name = bed, name
        self.after = 0
        self.began = 0.0
        self.moved = self.ended = None  # seconds
        self.healthy = 0

    def prepare(self):
        self.bed.restore()
        self.bed.add_tag("cluster", "", PREFIX + "failover")
        self.bed.lose("node2")
        self.after = self.bed.last_job()
        self.began = time.monotonic()

    def watch(self, limit):
        """Until all are healthy and nothing is pending, or the limit is over;
        where that cannot come, until nothing is pending any more."""
        dead = full("node2")
        calm = None  # since when nothing is pending
        while time.monotonic() - self.began < limit:
            rows = self.bed.instances().values()
            at = time.monotonic() - self.began
            here = [row for row in rows if row["status"] == "running"
                    and row["pnode"] != dead]
            if self.moved is None and len(here) == len(rows):
                self.moved = at
            well = [row for row in here if dead not in row["snodes"]]
            self.healthy = len(well)
            tags = [tag for row in rows for tag in row["tags"]]
            pending = any(tag.startswith(PREFIX + "pending:") for tag in tags)
            begun = any(tag.startswith(PREFIX) for tag in tags)
            if pending or not begun:
                calm = None
            elif calm is None:
                calm = at
            if calm is not None and (len(well) == len(rows)
                                     or at - calm > CALM):
                self.ended = calm
                return
            time.sleep(1)
        self.ended = limit

    def row(self):
        jobs = [job for job in self.bed.jobs(self.after)
                if job["id"] not in self.bed.sent]
        failed = sum(job["status"] != "success" for job in jobs)
        # Times are worth comparing only where this machine was as busy.
        return {"name": self.name, "healthy": self.healthy,
                "load": round(os.getloadavg()[1], 1),
                "moved_s": self.moved and round(self.moved, 1),
                "ended_s": round(self.ended, 1), "jobs": len(jobs),
                "failed_jobs": failed}


def run_harep(bed, helped, limit):
    race = Race(bed, "harep, failure tags removed" if helped else "harep")
    race.prepare()
    loop = Loop(bed, helped)
    loop.start()
    try:
        race.watch(limit)
    finally:
        loop.end()
    say("%s: %d passes" % (race.name, loop.passes))
    return race.row()


def run_ours(bed, args):
    race = Race(bed, "orderlyd")
    daemon = Daemon(bed, args.orderlyd, args.orderly, "bench")
    for old in (daemon.journal, daemon.log):
        if os.path.exists(old):
            os.unlink(old)
    with open(daemon.config, "w", encoding="ascii") as file:
        file.write(CONFIG % {"folder": daemon.folder})
    race.prepare()
    try:
        daemon.start()
        race.watch(300)
        daemon.stop()
    finally:
        daemon.discard()
    return race.row()


def table(ours, others):
    lines = ["%-30s %-8s %10s %10s %6s %7s %5s" % (
        "one dead node, 6 instances", "healthy", "moved", "at rest", "jobs",
        "failed", "load")]
    for row in [ours, *others]:
        moved = "-" if row["moved_s"] is None else "%.1f s" % row["moved_s"]
        lines.append("%-30s %-8s %10s %10s %6d %7d %5.1f" % (
            row["name"], "%d of 6" % row["healthy"], moved,
            "%.1f s" % row["ended_s"], row["jobs"], row["failed_jobs"],
            row["load"]))
    for row in others:
        lines.append("orderlyd takes %.2f of the time and %.2f of the jobs "
                     "of %s" % (*ratios(ours, row), row["name"]))
    return "\n".join(lines)


def ratios(ours, other):
    return (ours["ended_s"] / other["ended_s"], ours["jobs"] / other["jobs"])


def arguments():
    text = argparse.ArgumentParser(description=__doc__)
    text.add_argument("--orderlyd", required=True, type=os.path.realpath)
    text.add_argument("--orderly", required=True, type=os.path.realpath)
    text.add_argument("--helped", action="store_true",
                      help="also a harep whose failure tags are removed at "
                      "once, so that it can finish")
    text.add_argument("--only-power", action="store_true",
                      help="only the power status of all nodes")
    text.add_argument("--json", action="store_true", help="print rows as JSON")
    text.add_argument("--keep", action="store_true",
                      help="leave the testbed up, to look at it")
    return text.parse_args()


def compare(bed, args):
    if not os.path.exists(bed.folder + "/snapshot.tar"):
        bed.call("up", "--nodes", "6", "--layout", LAYOUT)
    bed.restore()
    told = bed.master("harep", "--version")
    if "ganeti" not in told:
        raise Failed("harep on the testbed is not Ganeti's: " + told)
    others = [run_harep(bed, False, 300)]
    if args.helped:
        others.append(run_harep(bed, True, 600))
    ours = run_ours(bed, args)
    if args.json:
        print(json.dumps({"orderlyd": ours, "others": others}))
    else:
        print(table(ours, others))
    enough = all(ratio <= HALF for ratio in ratios(ours, others[0]))
    return 0 if enough and ours["healthy"] == 6 else 1


def compare_power(bed, args):
    if not os.path.exists(bed.folder + "/snapshot.tar"):
        bed.call("up", "--nodes", "6", "--layout", LAYOUT)
    rows = bench_power.compare(bed, args)
    print(json.dumps({"power": rows}) if args.json
          else bench_power.table(rows))
    ours, theirs = rows
    return 0 if (ours["nodes"] == theirs["nodes"] == 6
                 and ours["seconds"] <= theirs["seconds"]) else 1


def main():
    args = arguments()
    bed = Bed(os.environ.get("TESTBED_DIR", "/var/tmp/orderly-bench"))
    why = bed.possible()
    if why:
        say(why)
        return 77
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        if args.only_power:
            return compare_power(bed, args)
        return max(compare(bed, args), compare_power(bed, args))
    except Failed as error:
        say("FAILED: %s" % error)
        return 1
    finally:
        if not args.keep:
            bed.call("down", check=False)


if __name__ == "__main__":
    sys.exit(main())
