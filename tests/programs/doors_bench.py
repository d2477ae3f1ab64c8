#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""How fast the doors are: orderlyd beside a plain server of the same bytes.

  tests/programs/doors_bench.py --programs build/bin
  tests/programs/doors_bench.py --programs build/bin --only speed --seconds 1

wrk with 32 connections asks both in turn; a ratio is the median of those of
the rounds. The plain server has one thread that stands back as far as that of
the doors, so that what is compared is the work. A client of our own that is
due 10,000 times a second tells how late the answers are, in the round that was
disturbed least. It needs root, for namespaces of its own. Exit code 1: a row
that has to reach something does not.
"""
import argparse
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from doors_cluster import FIRST_TO_DIE, House, Nodes, cpu_of, reactions
from siege import free_port, go_inside, loopback_up
from siege_daemon import requests_of_strangers, until

RATIO, LATE_MS, RATE, SLOWER = 0.4, 20, 10000, 1.05  # what is asked for
SHARE = 0.2  # of what all cost that one costs; the rest of it is copying
STAND_BACK = 5  # as the doors' thread does
NODES, INSTANCES = 100, 200
FLOODED_NODES = 200  # less than half of them die: nobody calls it a storm
PATHS = ["/2/status", "/metrics", "/2/instances", "/2/advice"]
MORE = ["/healthz", "/status.html", "/2/nodes", "/2/instances?node=node1",
        "/2/nodes/node1", "/2/explain/inst1", "/2/decisions"]
GZIP = "Accept-Encoding: gzip"


def fetch(port, path, *headers):
    """Status, headers as they came, and body."""
    with socket.create_connection(("127.0.0.1", port), 30) as line:
        lines = ["GET %s HTTP/1.1" % path, "Host: localhost",
                 "Connection: close", *headers, "", ""]
        line.sendall("\r\n".join(lines).encode())
        data = b""
        while chunk := line.recv(1 << 20):
            data += chunk
    head, body = data.split(b"\r\n\r\n", 1)
    return int(head.split()[1]), head.decode(), body


def header(head, name):
    found = re.search(r"^%s: (.*?)\r?$" % name, head, re.MULTILINE)
    return found and found[1]


class Page:
    """What is asked for, and what the plain server says to the same."""

    def __init__(self, folder, port, number, path, *headers):
        self.name, self.path, self.headers = path, path, headers
        for _ in range(100):  # it is packed soon after somebody wanted that
            self.status, self.head, body = fetch(port, path, *headers)
            if GZIP not in headers or header(self.head, "Content-Encoding"):
                break
            time.sleep(0.05)
        self.size = len(body)
        self.target = "/%d" % number
        self.file = "%s/page-%d" % (folder, number)
        with open(self.file, "wb") as file:
            file.write(body)
        if headers:
            self.name += " 304" if self.status == 304 else " gzip"

    def plain(self):
        kind = header(self.head, "Content-Type") or "application/json"
        return [self.target, str(self.status), kind, self.file]


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.houses = 0
        self.missed, self.rows, self.columns = [], [], []

    def program(self, name):
        return os.path.join(self.options.programs, name)

    def house(self, nodes, instances):
        self.houses += 1
        name = "%s/house-%d" % (self.folder, self.houses)
        return House(self.program("orderlyd"), name, (nodes, instances),
                     free_port())

    def tell(self, what, figures, must=None, good=True):
        """One row; with a heading, where it is another kind of row."""
        if must and not good:
            self.missed.append("%s: MUST %s" % (what, must))
        self.rows.append({"what": what, **figures})
        if self.options.json:
            return
        if list(figures) != self.columns:
            self.columns = list(figures)
            print("\n%-31s" % "" + "".join("%16s" % key for key in figures))
        print("%-31s" % what
              + "".join("%16s" % text_of(x) for x in figures.values())
              + ("  missed: %s" % must if must and not good else ""),
              flush=True)

    def wrk(self, port, path, connections, headers=()):
        """Answers a second, of which none may be a refusal."""
        order = ["wrk", "-t1", "-c%d" % connections,
                 "-d%ds" % self.options.seconds, "--timeout", "10s"]
        for text in headers:
            order += ["-H", text]
        out = subprocess.run(
            order + ["http://127.0.0.1:%d%s" % (port, path)], check=True,
            capture_output=True, text=True).stdout
        if re.search(r"Non-2xx|Socket errors", out):
            sys.exit("wrk at %s:\n%s" % (path, out))
        return rate_of(out)

    def paced(self, port, page, path):
        out = subprocess.run(
            [self.program("paced_client"), str(port), path, str(RATE),
             str(self.options.seconds), "32", *page.headers], check=True,
            capture_output=True, text=True).stdout
        return json.loads(out)

    def beside(self, house, pages, connections=32, must=()):
        """Both servers, in turn, page by page."""
        port = free_port()
        plain = subprocess.Popen(
            ["nice", "-n", str(STAND_BACK), self.program("plain_server"),
             str(port)] + [word for page in pages for word in page.plain()])
        try:
            until(lambda: fetch(port, pages[0].target), 10, "no plain server")
            for page in pages:
                self.compare(house, page, plain.pid, port, connections,
                             page.path in must)
        finally:
            plain.kill()
            plain.wait()

    def compare(self, house, page, pid, port, connections, must):
        ours, theirs, late = [], [], []
        door = house.daemon.port
        for _ in range(self.options.rounds):
            pair = []
            for at, path, cpu in (
                    (door, page.path, lambda: house.cpu("doors")),
                    (port, page.target, lambda: cpu_of("/proc/%d" % pid))):
                before = cpu()
                rate, count = self.wrk(at, path, connections, page.headers)
                pair.append((rate, 1e6 * (cpu() - before) / count))
            ours.append(pair[0])
            theirs.append(pair[1])
            if connections == 32:
                late.append((self.paced(door, page, page.path),
                             self.paced(port, page, page.target)))
        ratio = statistics.median(
            x[0] / y[0] for x, y in zip(ours, theirs))
        figures = {"bytes": page.size,
                   "answers/s": median_of(ours, 0),
                   "plain": median_of(theirs, 0), "ratio": ratio,
                   "CPU us": median_of(ours, 1),
                   "plain CPU us": median_of(theirs, 1)}
        good = ratio >= RATIO
        if late:
            # The least disturbed round: what else runs here is in it, too.
            p99 = [min(pair[i]["p99_ms"] for pair in late) for i in (0, 1)]
            figures |= {"p99 ms": p99[0], "plain p99 ms": p99[1],
                        "of %d/s" % RATE: max(
                            pair[0]["rate"] for pair in late)}
            good = (good and p99[0] < LATE_MS
                    and not any(pair[0]["failed"] for pair in late))
        self.tell(page.name, figures, must and "ratio %g, p99 %d ms" % (
            RATIO, LATE_MS), good)

    def speed(self):
        house = self.house(NODES, INSTANCES)
        try:
            port = house.daemon.port
            tag = header(fetch(port, "/2/instances")[1], "ETag")
            asked = [(path,) for path in PATHS]
            asked += [(path, GZIP) for path in PATHS]
            asked += [("/2/instances", "If-None-Match: " + tag)]
            asked += [(path,) for path in MORE]
            pages = [Page(self.folder, port, number, *words)
                     for number, words in enumerate(asked)]
            self.beside(house, pages, must=PATHS)
        finally:
            house.close()

    def growth(self):
        """What larger lists cost, and one instance that has changed. Eight
        connections: more large answers are not under way at once."""
        changes = []
        for count in (200, 1000, 10000):
            house = self.house(NODES, count)
            try:
                changes += self.change(house, count)
                page = Page(self.folder, house.daemon.port, 100,
                            "/2/instances")
                page.name += " of %d" % count
                self.beside(house, [page], 8)
            finally:
                house.close()
        for row in changes:
            self.tell(*row)

    def change(self, house, count):
        """Processor time of who makes the texts: for all of one, and for it
        again after one instance has changed."""
        port, moved, rows = house.daemon.port, 0, []
        for path in ("/2/instances", "/2/advice", "/status.html"):
            begin = house.cpu("kitchen")
            tag = header(fetch(port, path)[1], "ETag")
            first, again = house.cpu("kitchen") - begin, []
            if path == "/2/instances":
                first = house.first_list
            for _ in range(self.options.rounds):
                moved += 1
                home = house.move(moved)
                time.sleep(5)  # what is dear is not made anew before
                until(lambda at=home, n=moved: at == json.loads(fetch(
                    port, "/2/instances/inst%d" % n)[2])["primary"],
                      60, "no change is shown")
                begin = house.cpu("kitchen")
                new = header(fetch(port, path)[1], "ETag")
                again.append(house.cpu("kitchen") - begin)
                if new == tag and path == "/2/instances":
                    sys.exit("%s did not change" % path)
                tag = new
            one = statistics.median(again)
            rows.append(("%s made of %d" % (path, count), {
                "first ms": 1e3 * first, "one changed ms": 1e3 * one},
                         path == "/2/instances" and "a share of %g of the first"
                         % SHARE, one <= SHARE * first))
        return rows

    def flood(self):
        """How soon host HA decides, with a flood of all paths and without."""
        house = self.house(FLOODED_NODES, INSTANCES)
        nodes, took, answers = self.nodes, {True: [], False: []}, []
        try:
            script = self.folder + "/flood.lua"
            paths = [text.split()[1].decode()
                     for text in requests_of_strangers()
                     if text.startswith(b"GET")]
            with open(script, "w", encoding="ascii") as file:
                file.write("local n, paths = 0, {%s}\nrequest = function()\n"
                           "  n = n %% #paths + 1\n"
                           "  return wrk.format('GET', paths[n])\nend\n"
                           % ", ".join('"%s"' % path for path in paths))
            for wave in range(2 * self.options.waves):
                flooded = wave % 2 == 1
                first = FIRST_TO_DIE + wave * self.options.wave
                client = flooded and subprocess.Popen(
                    ["wrk", "-t1", "-c50", "-d60s", "-s", script,
                     "http://127.0.0.1:%d/" % house.daemon.port],
                    stdout=subprocess.PIPE, text=True)
                time.sleep(2)
                took[flooded] += reactions(
                    house, nodes, range(first, first + self.options.wave))
                if client:
                    client.send_signal(signal.SIGINT)
                    answers.append(rate_of(client.communicate()[0])[0])
        finally:
            house.close()
        slower = statistics.mean(took[True]) / statistics.mean(took[False])
        for flooded, name in ((False, "fenced, no readers"),
                              (True, "fenced, flood")):
            times = sorted(took[flooded])
            figures = {"nodes": len(times), "mean s": statistics.mean(times),
                       "median s": statistics.median(times),
                       "max s": times[-1],
                       "ratio": slower if flooded else 1.0,
                       "answers/s": statistics.median(answers)
                                    if flooded else 0}
            self.tell(name, figures, flooded and "ratio %g" % SLOWER,
                      slower <= SLOWER)


def rate_of(out):
    """Of what wrk says: answers a second, and answers."""
    return (float(re.search(r"Requests/sec:\s*([\d.]+)", out)[1]),
            int(re.search(r"(\d+) requests in", out)[1]))


def median_of(pairs, which):
    return statistics.median(pair[which] for pair in pairs)


def text_of(x):
    if not isinstance(x, float) or x >= 100:
        return "%d" % x
    return "%.1f" % x if x >= 10 else "%.3f" % x


def main():
    parse = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--programs", required=True,
                       help="the folder of orderlyd and those it needs")
    parse.add_argument("--only", action="append",
                       choices=["speed", "growth", "flood"])
    parse.add_argument("--seconds", type=int, default=2,
                       help="of each measurement")
    parse.add_argument("--rounds", type=int, default=3)
    parse.add_argument("--waves", type=int, default=8)
    parse.add_argument("--wave", type=int, default=4,
                       help="nodes that lose their power at once")
    parse.add_argument("--json", action="store_true")
    options = parse.parse_args()
    options.programs = os.path.abspath(options.programs)
    if not go_inside():
        sys.exit("this needs network namespaces: run it as root")
    loopback_up()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        bench.nodes = Nodes(folder, FLOODED_NODES)
        for part in options.only or ("speed", "growth", "flood"):
            getattr(bench, part)()
    if options.json:
        print(json.dumps({"rows": bench.rows, "missed": bench.missed}))
    sys.exit(1 if bench.missed else 0)


if __name__ == "__main__":
    main()
