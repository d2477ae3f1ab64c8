#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""An orderlyd that gets too little memory, at its start or later, ends with a
sentence that says what to raise and with the code 1, by which systemd starts it
again; and what it acknowledged is there then.

  tests/programs/limits/short_memory.py build/bin/orderlyd
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from made_up_cluster import SETTINGS, Luxid, ask, instance

MIB = 1 << 20
LOADER = 127  # of libraries: it was not begun at all
NODES, INSTANCES = 200, 2000


class Run:
    def __init__(self, program, folder, limit=None):
        self.socket = folder + "/orderly.sock"
        self.log = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [program, "--config", folder + "/orderly.toml"], stdout=self.log,
            stderr=self.log, preexec_fn=lambda: limit and resource.setrlimit(
                resource.RLIMIT_AS, (limit, limit)))

    def lives(self):
        return self.process.poll() is None

    def ready(self):
        """It has read the cluster; else it has ended."""
        end = time.monotonic() + 30
        while self.lives() and time.monotonic() < end:
            try:
                if self.status()["guard"]["nodes"] == NODES:
                    return True
            except (OSError, ValueError, KeyError):
                pass
            time.sleep(0.02)
        assert not self.lives(), "neither ready nor ended: " + self.said()
        return False

    def status(self):
        return ask(self.socket, "GET", "/2/status", patience=3)[1]

    def has_grown(self):
        try:
            ask(self.socket, "GET", "/2/instances", patience=3)
            return sum(self.status()["instances_by_phase"].values()) > INSTANCES
        except Exception:  # it may have no memory for an answer
            return False

    def size(self):
        with open("/proc/%d/statm" % self.process.pid,
                  encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()

    def said(self):
        self.log.seek(0)
        return self.log.read()[-2000:]

    def explains_its_end(self):
        code, said = self.process.wait(20), self.said()
        assert code == 1, "exit code %d: %s" % (code, said)
        assert "memory" in said, "no word of memory: " + said

    def stop(self):
        self.process.terminate()
        assert self.process.wait(20) == 0, self.said()


def starts(program, folder):
    """With a little more memory each time, until it is enough."""
    ends = 0
    for mib in range(30, 4000, 35):
        run = Run(program, folder, mib * MIB)
        if run.ready():
            run.stop()
            assert ends > 3, "only %d starts had too little" % ends
            print("%d starts with too little memory, %d MiB are enough"
                  % (ends, mib))
            return
        if run.process.returncode != LOADER:
            run.explains_its_end()
            ends += 1
    raise AssertionError("no memory is enough")


def order(run, number):
    """Whether it was acknowledged."""
    try:
        return ask(run.socket, "POST", "/2/pause",
                   {"reason": "order-%d-" % number}, 3)[0] == 200
    except (OSError, ValueError):
        return False
    except Exception:  # http.client: half an answer
        return False


def grow(luxid, count):
    luxid.tables["instance"] = [instance(n, NODES) for n in range(count)]
    luxid.known = {}


def runs_short(program, folder, luxid):
    """What it has is all it gets, amid orders, while the cluster grows."""
    ends = number = 0
    for spare in (0, 1, 4, 16, 64):
        grow(luxid, INSTANCES)
        run = Run(program, folder)
        assert run.ready(), run.said()
        resource.prlimit(run.process.pid, resource.RLIMIT_AS,
                         (run.size() + spare * MIB, resource.RLIM_INFINITY))
        grow(luxid, 20 * INSTANCES)
        # A busy machine takes its time until the larger one is read.
        last, until = None, time.monotonic() + 40
        while run.lives() and time.monotonic() < until and not run.has_grown():
            number += 1
            last = number if order(run, number) else last
        if run.lives():
            run.process.kill()
            run.process.wait()
        else:
            run.explains_its_end()
            ends += 1
        grow(luxid, INSTANCES)
        run = Run(program, folder)
        assert run.ready(), run.said()
        by = run.status()["guard"]["paused_by"]
        # Later ones may hold: they were not refused either.
        kept = int(by.rsplit("order-", 1)[-1].split("-")[0]) if by else 0
        assert last is None or kept >= last, "order %s is lost: %s" % (last, by)
        run.stop()
    assert ends > 0, "never was there too little"
    print("%d orders, %d of 5 ended" % (number, ends))


def main():
    with tempfile.TemporaryDirectory(prefix="orderly-memory-") as folder:
        os.chmod(folder, 0o700)
        luxid = Luxid(folder + "/luxi", NODES, INSTANCES)
        with open(folder + "/orderly.toml", "w", encoding="ascii") as file:
            file.write(SETTINGS.replace("[journal]", 'poll_interval = "1s"\n[journal]')
                       % {"port": 1, "folder": folder})
        os.chmod(folder + "/orderly.toml", 0o600)
        starts(sys.argv[1], folder)
        runs_short(sys.argv[1], folder, luxid)
    print("all as it should be")


main()
