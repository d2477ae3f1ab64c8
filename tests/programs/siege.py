#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Besieges an orderlyd and tells what came of it.

A real orderlyd serves a made-up cluster, in namespaces of its own where the
system grants them. It is attacked from outside and from below, while persons
give orders over its socket. After each attack it must live (or have ended as
documented), answer a stranger and a person, keep its memory under the bound
that is printed, and have no acknowledged order lost.

  tests/programs/siege.py --orderlyd build/bin/orderlyd 10
  tests/programs/siege.py --orderlyd build/bin/orderlyd --short

Exit code 0: held; 1: not.
"""
import argparse
import fcntl
import json
import os
import random
import resource
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

import siege_agents
import siege_attacks
from siege_daemon import Daemon, Defeat, Persons, until
from siege_decisions import Decisions
import siege_disk
import siege_doors
import siege_limits
from siege_luxid import MoodyLuxid
import siege_nodes
import siege_outside
import siege_power
import siege_readers

RATIO, SLACK = 1.5, 48  # of the first RSS, and MiB beyond that
ORDER_LIMIT = 10.0  # seconds, http.request_timeout
ATTACKS = {
    "slowloris": siege_attacks.slowloris,
    "half-open": siege_attacks.half_open,
    "heads without end": siege_attacks.endless_heads,
    "flood of all paths": siege_attacks.flood,
    "RST in the middle": siege_attacks.resets,
    "mutated requests": siege_attacks.mutated,
    "answers unread": siege_doors.unread,
    "pages under change": siege_doors.pages,
    "sanitized readers": siege_readers.sanitized,
    "hostile monitors": siege_outside.monitors,
    "hostile agents": siege_agents.agents,
    "hostile luxid": siege_outside.luxid,
    "hostile helpers": siege_outside.helpers,
    "64 descriptors": siege_attacks.few_files,
    "port taken": siege_doors.squatted,
    "sockets handed over": siege_doors.activated,
    "little memory": siege_limits.little_memory,
    "clocks step": siege_limits.clocks_step,
    "SIGHUP storm": siege_attacks.hangups,
    "SIGTERM storm": siege_attacks.terms,
    "kill -9": siege_attacks.kill_loop,
    "power cuts": siege_power.power_cuts,
    "journal moved away": siege_disk.moved,
    "bits flipped": siege_disk.flipped,
    "backup put in place": siege_disk.restored,
    "disk full": siege_disk.full_disk,
    "disk read-only": siege_disk.read_only,
}
NEED_DISK = {"disk full", "disk read-only"}
# While these go on nodes go away, to see how soon that is noticed.
MEASURED = {"slowloris", "half-open", "flood of all paths",
            "RST in the middle", "mutated requests", "SIGHUP storm"}
# After these the memory is what it was, times RATIO at most.
FLOODS = {"slowloris", "half-open", "heads without end",
          "flood of all paths", "RST in the middle",
          "mutated requests", "answers unread", "pages under change"}
INSIDE = "ORDERLY_SIEGE_INSIDE"


def go_inside():
    """Runs this again in namespaces of its own; returns if there are none."""
    if os.environ.get(INSIDE):
        return os.environ[INSIDE] == "walls"
    for extra in ([], ["--user", "--map-root-user"]):
        # Whatever ends us ends all that is inside.
        how = ["unshare", "--net", "--mount", "--pid", "--mount-proc",
               "--fork", "--kill-child"] + extra
        if subprocess.call(how + ["true"], stderr=subprocess.DEVNULL) == 0:
            os.environ[INSIDE] = "walls"
            os.execvp(how[0], how + [sys.executable] + sys.argv)
    return False


def loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        ask = struct.pack("16sh14x", b"lo", 1)  # IFF_UP
        fcntl.ioctl(line, 0x8914, ask)  # SIOCSIFFLAGS


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as line:
        return line.getsockname()[1]


class Siege:
    def __init__(self, folder, options):
        nodes, instances = (20, 200) if options.short else (200, 2000)
        ports = [free_port() for _ in range(3)]
        self.size = (nodes, instances)
        self.luxid = MoodyLuxid(folder + "/luxi", nodes, instances,
                                options.seed)
        self.luxid.tables["node"] = siege_nodes.records(nodes)
        self.daemons = siege_nodes.Daemons(nodes, ports[1])
        self.monitors = siege_nodes.Monitors(ports[2])
        self.helper = siege_nodes.Helper(folder)
        self.daemon = Daemon(options.orderlyd, folder, ports,
                             "1s" if options.short else "5s")
        self.persons = Persons(self.daemon)
        self.decisions = Decisions(self.daemon, self.daemons, nodes)
        self.clock_steps, self.readers = options.clock_steps, options.readers
        self.note, self.allowance, self.kept = "", 0, 0
        self.mood_span = 0.5 if options.short else 3
        self.long = not options.short
        self.dice = random.Random(options.seed)
        # What takes its time shares it: six of them.
        self.span = 4.0 if options.short else options.minutes * 60 / 6 * 0.6
        self.bound = self.limit = 0

    def nothing_is_lost(self):
        for _ in range(3):  # it is copied while it is written
            lost = self.persons.lost(self.daemon.disk)
            if lost == 0:
                return
            time.sleep(0.5)
        raise Defeat("%d acknowledged orders are lost" % lost)

    def check(self):
        self.daemon.serves(30)
        self.persons.must_be_heard()
        self.nothing_is_lost()
        if self.persons.slowest > ORDER_LIMIT:
            raise Defeat("an order was answered after %.1f s"
                         % self.persons.slowest)
        until(lambda: self.daemon.rss() <= self.limit + self.kept, 30, lambda:
              "RSS stays at %d MiB" % self.daemon.rss())
        if self.daemon.highest > self.limit + self.allowance:
            raise Defeat("RSS was %d MiB" % self.daemon.highest)

    def suffer(self, name):
        self.persons.at_work.set()
        self.persons.fresh()
        before = self.daemon.highest = self.daemon.rss()
        # What an attack has left is not told of the next.
        self.limit = max(self.bound, before + 16)
        acknowledged = self.persons.acknowledged()
        count, verdict, decision, self.note = 0, "held", "-", ""
        self.allowance = self.kept = 0
        try:
            if name in MEASURED:
                self.decisions.begin()
            count = ATTACKS[name](self)
            if name in MEASURED:
                decision = round(self.decisions.slowest(), 1)
            self.check()
            if name in FLOODS:
                until(lambda: self.daemon.rss() <= RATIO * before, 30, lambda:
                      "RSS was %d MiB and stays at %d" % (
                          before, self.daemon.rss()))
        except Defeat as why:
            verdict = "LOST: %s" % why
        row = {"attack": name, "count": count, "rss_before": before,
               "rss_after": self.daemon.rss(),
               "rss_highest": self.daemon.highest,
               "orders": self.persons.acknowledged() - acknowledged,
               "slowest_order_s": round(self.persons.slowest, 2),
               "decision_s": decision,
               "verdict": ": ".join(filter(None, (verdict, self.note)))}
        if verdict != "held" or self.kept:
            self.begin_anew()
        return row

    def begin_anew(self):
        """What one attack has broken, or was granted, is not told of the
        next."""
        self.daemon.kill()
        self.persons.rest()
        for name in os.listdir(self.daemon.disk):
            os.remove(os.path.join(self.daemon.disk, name))
        self.persons.pauses, self.persons.resumes = set(), 0
        self.daemon.start()


def line_of(row):
    return "%-20s %8s %6s %6s %7s %7s %8s %9s  %s" % tuple(
        row[key] for key in HEADING)


HEADING = {"attack": "attack", "count": "count", "rss_before": "MiB",
           "rss_after": "after", "rss_highest": "highest", "orders": "orders",
           "slowest_order_s": "slowest", "decision_s": "decision",
           "verdict": "verdict"}


def what_lacks(siege, with_disk):
    """Attacks that this system does not let us make, and why."""
    lacking = {}
    if not with_disk:
        lacking |= dict.fromkeys(NEED_DISK, "no disk of its own")
    if not with_disk or not siege_power.possible(siege.daemon.folder):
        lacking["power cuts"] = "no loop device"
    if not siege.clock_steps:
        lacking["clocks step"] = "no --clock-steps"
    if not siege.readers:
        lacking["sanitized readers"] = "no --readers"
    return lacking


def besiege(options, folder, walls):
    """All rows, the bound, and how soon a decision is made in peace."""
    os.mkdir(folder + "/disk", 0o700)
    with_disk = walls and subprocess.call(
        ["mount", "-t", "tmpfs", "-o", "size=64m,mode=700", "siege",
         folder + "/disk"], stderr=subprocess.DEVNULL) == 0
    siege = Siege(folder, options)
    rows = []
    try:
        siege.daemon.start()
        siege.persons.must_be_heard()
        siege.daemon.get("/2/instances")
        siege.bound = int(siege.daemon.rss() * RATIO) + SLACK
        siege.decisions.begin()
        siege.calm = siege.decisions.slowest()
        if not options.json:
            print("%d nodes, %d instances; RSS must stay under %d MiB; a node "
                  "that is gone is suspected after %.1f s\n%s" % (
                      *siege.size, siege.bound, siege.calm,
                      line_of(HEADING)), flush=True)
        lacking = what_lacks(siege, with_disk)
        for name in options.only or ATTACKS:
            if name in lacking:
                row = dict.fromkeys(HEADING, "-") | {
                    "attack": name, "verdict": "skipped: " + lacking[name]}
            else:
                row = siege.suffer(name)
            rows.append(row)
            if not options.json:
                print(line_of(row), flush=True)
    finally:
        siege.persons.at_work.clear()
        siege.daemon.kill()
        siege.luxid.shutdown()
        if with_disk:
            subprocess.call(["umount", "-l", folder + "/disk"])
        if options.keep_log:
            shutil.copy(folder + "/log", options.keep_log)
    return rows, siege.bound, siege.calm


def main():
    parse = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("minutes", nargs="?", type=float, default=10)
    parse.add_argument("--orderlyd", required=True)
    parse.add_argument("--clock-steps",
                       help="the library that lets clocks jump")
    parse.add_argument("--readers",
                       help="the readers of requests under sanitizers")
    parse.add_argument("--short", action="store_true",
                       help="about a minute, on a small cluster")
    parse.add_argument("--only", action="append", choices=list(ATTACKS))
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--json", action="store_true")
    parse.add_argument("--keep-log", help="where orderlyd's log goes")
    options = parse.parse_args()
    options.orderlyd = os.path.abspath(options.orderlyd)
    for name in ("clock_steps", "readers"):
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    walls = go_inside()
    if walls:
        loopback_up()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        rows, bound, calm = besiege(options, folder, walls)
    held = all(row["verdict"].startswith(("held", "skipped")) for row in rows)
    if options.json:
        print(json.dumps({"rss_bound_mib": bound, "decision_before_s": calm,
                          "held": held, "rows": rows}))
    else:
        print("held" if held else "NOT held")
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
