# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""An orderlyd in front of a made-up cluster whose nodes can lose their power.
For doors_bench.py.

A node answers at an address of its own on the loopback device. When that is
taken away the way leads into a cable with nobody at its end, where packets
vanish: a node without power does not even refuse.
"""
import os
import selectors
import shutil
import socket
import sqlite3
import subprocess
import threading
import time

from made_up_cluster import Luxid
from siege_daemon import Daemon, until

DAEMON_PORT = 1811
CONFIG = """\
[host_ha]
check_interval = "1s"
check_timeout = "1s"
daemon_port = %(port)d
monitor_port = 0
[autorepair]
enabled = true
mode = "observe"
[storm]
nodes_max = 100000
percent_max = 100
settle = "1s"
[rounds]
parallel_max = 1000
[budget]
fences_per_hour_max = 100000
[cluster]
luxi_socket = "%(folder)s/luxi"
poll_interval = "2s"
[leader]
own_node = "node0"
[balance]
dynamic_load = false
[journal]
path = "%(folder)s/disk/journal.db"
room_min = 4
[http]
port = %(door)d
socket = "%(folder)s/orderly.sock"
public = "all"
"""
OFFLINE = (4, 14, 24)  # or there would be nothing to advise
FIRST_TO_DIE = 36  # those before it are left in peace
VOID = """\
link add void type veth peer name nobody
link set void up arp off
link set nobody up arp off
route add 10.99.0.0/16 dev void
"""
HELPER = """\
#!/bin/sh
[ -e "${0%/*}/../off-$2" ] && echo '{"powered": false}' || echo '{"powered": true}'
"""


def address_of(number):
    return "10.99.%d.%d" % (number // 250, number % 250 + 1)


class Nodes(threading.Thread):
    """All of them, behind one socket, whose helper looks into `folder`; each dies right after a look at it, so
    that the next look, which finds it dead, is equally far away."""

    def __init__(self, folder, count):
        super().__init__(daemon=True)
        self.off, self.doomed, self.died = folder + "/off-", {}, {}
        orders = VOID + "".join("addr add %s/32 dev lo\n" % address_of(n)
                                for n in range(count))
        subprocess.run(["ip", "-batch", "-"], input=orders.encode(),
                       check=True)
        self.line = socket.create_server(("0.0.0.0", DAEMON_PORT),
                                         backlog=1000)
        self.line.setblocking(False)
        self.start()

    def run(self):
        poll = selectors.DefaultSelector()
        poll.register(self.line, selectors.EVENT_READ)
        while True:
            poll.select()
            try:
                guest, _ = self.line.accept()
            except OSError:
                continue
            at = guest.getsockname()[0]
            guest.close()
            if at in self.doomed:
                self.end(self.doomed.pop(at), at)

    def end(self, name, at):
        open(self.off + name, "w", encoding="ascii").close()
        subprocess.check_call(["ip", "addr", "del", at + "/32", "dev", "lo"])
        self.died[name] = time.time()

    def kill(self, numbers):
        for number in numbers:
            self.doomed[address_of(number)] = "node%d" % number


class House:
    """The cluster, and the daemon that looks after it."""

    def __init__(self, program, folder, sizes, door):
        nodes, instances = sizes
        os.mkdir(folder)
        os.mkdir(folder + "/disk", 0o700)
        helper = folder + "/helper"
        with open(helper, "w", encoding="ascii") as file:
            file.write(HELPER)
        os.chmod(helper, 0o700)
        self.folder = folder
        self.luxid = Luxid(folder + "/luxi", nodes, instances)
        for number, row in enumerate(self.luxid.tables["node"]):
            row["pip"] = address_of(number)
            row["ndp/oob_program"] = helper
        for number in OFFLINE:
            self.luxid.tables["node"][number]["offline"] = True
        self.daemon = Daemon(program, folder, (door, DAEMON_PORT, 0), "5s")
        with open(self.daemon.config, "w", encoding="ascii") as file:
            file.write(CONFIG % {"folder": folder, "door": door,
                                 "port": DAEMON_PORT})
        self.daemon.start()
        until(self.is_settled, 60, "it does not settle")
        begin = self.cpu("kitchen")
        self.daemon.get("/2/instances")
        self.first_list = self.cpu("kitchen") - begin

    def is_settled(self):
        """All was looked at: what is shown stays as it is."""
        status = self.daemon.status()
        return (sum(status["instances_by_phase"].values()) > 0
                and "unknown" not in status["instances_by_phase"]
                and "unknown" not in status["nodes_by_phase"])

    def move(self, number):
        """One instance has changed its places: what the next reading shows."""
        row = self.luxid.tables["instance"][number]
        row["pnode"], row["snodes"] = row["snodes"][0], [row["pnode"]]
        self.luxid.known.clear()
        return row["pnode"]

    def cpu(self, thread):
        """Seconds that the threads of that name have worked."""
        tasks = "/proc/%d/task/" % self.daemon.process.pid
        total = 0
        for task in os.listdir(tasks):
            with open(tasks + task + "/comm", encoding="ascii") as file:
                if file.read().strip() != thread:
                    continue
            total += cpu_of(tasks + task)
        return total

    def decided(self, names, code, began):
        """When that was decided of each node, by name."""
        copy = self.folder + "/looked-at"
        shutil.rmtree(copy, ignore_errors=True)
        os.mkdir(copy)
        for end in ("", "-wal"):
            if os.path.exists(self.daemon.disk + "/journal.db" + end):
                shutil.copy(self.daemon.disk + "/journal.db" + end, copy)
        journal = sqlite3.connect(copy + "/journal.db")
        try:
            rows = journal.execute(
                "SELECT object, MIN(at_ms) FROM entries WHERE code = ? AND "
                "at_ms >= ? GROUP BY object", (code, began * 1000)).fetchall()
        finally:
            journal.close()
        return {name: at / 1000 for name, at in
                ((row[0].removeprefix("node:"), row[1]) for row in rows)
                if name in names}

    def close(self):
        self.daemon.kill()
        self.luxid.shutdown()
        self.luxid.server_close()


def cpu_of(task):
    """Seconds on a processor, of what /proc shows there."""
    with open(task + "/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e9


def reactions(house, nodes, numbers):
    """Seconds from the loss of each node's power to the decision that it is
    fenced."""
    names = {"node%d" % number for number in numbers}
    began = time.time()
    nodes.kill(numbers)
    found = until(
        lambda: (lambda x: len(x) == len(names) and x)(
            house.decided(names, "fenced", began)),
        60, lambda: "a node is not fenced within a minute: " + "; ".join(
            house.daemon.get("/2/explain/" + name)[1] for name in sorted(
                names - set(house.decided(names, "fenced", began)))))
    return [found[name] - nodes.died[name] for name in sorted(names)]
