# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""How soon a node that goes away is suspected: the only thing of an orderlyd
that counts when something breaks, seen from outside. For siege.py."""
import datetime
import re
import threading
import time

PATIENCE = 60.0


def instant_of(line):
    """When that line of orderlyd's log was written."""
    text = line.split(" ", 1)[0].rstrip("Z")
    return datetime.datetime.fromisoformat(text).replace(
        tzinfo=datetime.timezone.utc).timestamp()


class Decisions:
    """Lets one node after the other go away, right after it was found well, so
    that a whole interval of checks is part of what is measured; and come
    back."""

    def __init__(self, daemon, daemons, nodes):
        self.daemon, self.daemons, self.nodes = daemon, daemons, nodes
        self.next, self.found = 0, []
        self.wanted = threading.Event()
        self.idle = threading.Event()
        self.idle.set()
        threading.Thread(target=self.work, daemon=True).start()

    def told(self, since, node, what):
        """When that was decided of the node; 0: not in time."""
        end = time.monotonic() + PATIENCE
        wanted = re.compile(r" node:node%d (\[\S+\] )?%s: " % (node, what))
        while time.monotonic() < end:
            for line in self.daemon.log_since(since):
                if wanted.search(line):
                    return instant_of(line)
            time.sleep(0.05)
        return 0

    def measure(self):
        """Seconds from going away to the decision."""
        self.next = 1 + self.next % (self.nodes - 1)  # node0 is our own
        node = self.next
        seen, end = self.daemons.touched.get(node), time.monotonic() + PATIENCE
        while (self.daemons.touched.get(node) == seen
               and time.monotonic() < end):
            time.sleep(0.005)
        time.sleep(0.1)  # a check may be two questions
        since, began = self.daemon.log_size(), time.time()
        self.daemons.darken(node)
        try:
            at = self.told(since, node, "suspect")
        finally:
            since = self.daemon.log_size()
            self.daemons.light(node)
        self.told(since, node, "available")
        return at - began if at else PATIENCE

    def work(self):
        while True:
            self.wanted.wait()
            self.idle.clear()
            if self.wanted.is_set():
                self.found.append(self.measure())
            self.idle.set()

    def begin(self):
        self.found = []
        self.wanted.set()

    def slowest(self):
        """Of what was measured since `begin`; ends it."""
        while not self.found:
            time.sleep(0.05)
        self.wanted.clear()
        time.sleep(0.05)
        self.idle.wait()
        return max(self.found)
