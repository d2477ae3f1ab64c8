# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""A besieged orderlyd, and persons who give it orders all the while and keep
account of what was acknowledged. For siege.py."""
import grp
import json
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time

from made_up_cluster import ask

CONFIG = """\
[host_ha]
daemon_port = %(daemons)d
monitor_port = %(monitors)d
check_interval = "%(check)s"
check_timeout = "3s"
[power]
program = "%(folder)s/oob"
command_timeout = "3s"
kill_delay = "500ms"
[leader]
own_node = "node0"
[cluster]
luxi_socket = "%(folder)s/luxi"
poll_interval = "1s"
poll_timeout = "3s"
retry_max = "1s"
[balance]
model_timeout = "5s"
[journal]
path = "%(folder)s/disk/journal.db"
lost_linger = "2s"
room_min = 4
timeout = "5s"
[http]
port = %(port)d
socket = "%(folder)s/orderly.sock"
reader_socket = "%(folder)s/readers.sock"
reader_group = "%(group)s"
public = "all"
"""
MIB = 1 << 20


class Defeat(Exception):
    """A promise that was not kept."""


def until(what, seconds, text):
    """Waits for `what`, which may fail meanwhile; its last answer."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = what()
        except (OSError, ValueError, KeyError, sqlite3.Error):
            found = None
        if found:
            return found
        if time.monotonic() > end:
            raise Defeat(text() if callable(text) else text)
        time.sleep(0.05)


class Daemon:
    def __init__(self, program, folder, ports, check):
        self.program, self.folder, self.port = program, folder, ports[0]
        self.disk = folder + "/disk"
        self.socket = folder + "/orderly.sock"
        self.config = folder + "/orderly.toml"
        self.process, self.highest = None, 0
        with open(self.config, "w", encoding="ascii") as file:
            file.write(CONFIG % {
                "folder": folder, "port": ports[0], "daemons": ports[1],
                "monitors": ports[2], "check": check,
                "group": grp.getgrgid(os.getegid()).gr_name})
        os.chmod(self.config, 0o600)
        threading.Thread(target=self.watch, daemon=True).start()

    def launch(self, files=0, env=None, before=None, through=(), pass_fds=()):
        """`before` is done in the new process, which `through` may begin."""
        def limit():
            if files:
                resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
            if before:
                before()
        with open(self.folder + "/log", "ab") as log:
            self.process = subprocess.Popen(
                [*through, self.program, "--config", self.config], stderr=log,
                preexec_fn=limit, env=os.environ | (env or {}),
                pass_fds=pass_fds)

    def start(self, **how):
        self.launch(**how)
        self.serves(60)

    def serves(self, seconds):
        """What readers and persons come for is there again."""
        until(lambda: not self.lives()
              or self.get("/healthz") == (200, "ok\n"),
              seconds, lambda: "/healthz does not answer: "
              + self.last_words())
        if not self.lives():
            raise Defeat("exit code %s: %s" % (self.process.returncode,
                                               self.last_words()))
        until(lambda: self.status()["right_to_act"]["held"], seconds,
              "the cluster is not read")

    def last_words(self):
        with open(self.folder + "/log", encoding="utf-8",
                  errors="replace") as file:
            return "".join(file.readlines()[-2:]).strip()[-300:]

    def log_size(self):
        return os.path.getsize(self.folder + "/log")

    def all_since(self, size):
        with open(self.folder + "/log", "rb") as file:
            file.seek(size)
            return file.read().decode("utf-8", "replace").splitlines()

    def log_since(self, size):
        """Lines of its log, but for those of orders, which persons caused."""
        return [x for x in self.all_since(size)
                if " scheduler pause: " not in x
                and " scheduler resume" not in x]

    def orders_logged(self, size):
        """Numbers of the pauses in its log since then."""
        return [int(number) for line in self.all_since(size)
                for number in re.findall(r"siege-(\d+)-$", line)]

    def lives(self):
        return self.process is not None and self.process.poll() is None

    def exits(self, seconds, *codes):
        """Waits for its end by itself, with one of these exit codes."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Defeat("did not end within %d s" % seconds) from None
        if code not in codes:
            raise Defeat("exit code %d: %s" % (code, self.last_words()))
        return code

    def stop(self):
        if self.lives():
            self.process.send_signal(signal.SIGTERM)
            self.exits(30, 0)

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def get(self, path):
        """As a stranger sees it."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as line:
            line.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\n"
                         b"Connection: close\r\n\r\n" % path.encode())
            data = b""
            while chunk := line.recv(1 << 16):
                data += chunk
        head, body = data.split(b"\r\n\r\n", 1)
        return int(head.split()[1]), body.decode("utf-8", "replace")

    def status(self):
        return ask(self.socket, "GET", "/2/status")[1]

    def rss(self):
        """MiB that it has in memory; 0: it is not there."""
        try:
            with open("/proc/%d/statm" % self.process.pid,
                      encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf(
                    "SC_PAGE_SIZE") // MIB
        except (OSError, AttributeError, IndexError):
            return 0

    def watch(self):
        while True:
            self.highest = max(self.highest, self.rss())
            time.sleep(0.05)

    # --- the journal -----------------------------------------------------

    def copy(self, to):
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.disk, to)

    def put(self, kept):
        """The folder of the journal is as it was when `kept` was made."""
        for name in os.listdir(self.disk):
            os.remove(os.path.join(self.disk, name))
        for name in os.listdir(kept):
            shutil.copy2(os.path.join(kept, name), self.disk)


class Persons:
    """Pause and resume in turns. A pause has a reason that nobody else gives,
    so each can be found again; resumes are counted."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.pauses, self.resumes, self.number = set(), 0, 0
        self.guard = threading.Lock()
        self.slowest, self.answers, self.silences = 0.0, 0, 0
        self.at_work, self.ordering = threading.Event(), threading.Lock()
        threading.Thread(target=self.work, daemon=True).start()

    def order(self, pause, patience=15):
        """The HTTP status; 0: no answer."""
        with self.guard:
            self.number += 1
            reason = "siege-%d-" % self.number
        began = time.monotonic()
        try:
            status, _ = ask(self.daemon.socket, "POST",
                            "/2/pause" if pause else "/2/resume",
                            {"reason": reason}, patience)
        except (OSError, ValueError):
            status = 0
        except Exception:  # http.client: half an answer
            status = 0
        took = time.monotonic() - began
        with self.guard:
            if status == 0:
                self.silences += 1
            else:
                self.answers += 1
                self.slowest = max(self.slowest, took)
            if status == 200 and pause:
                self.pauses.add(reason)
            elif status == 200:
                self.resumes += 1
        return status

    def account(self):
        with self.guard:
            return set(self.pauses), self.resumes

    def settle(self, account):
        """What was acknowledged since then is not held to."""
        with self.guard:
            self.pauses, self.resumes = set(account[0]), account[1]

    def acknowledged(self):
        with self.guard:
            return len(self.pauses) + self.resumes

    def fresh(self):
        with self.guard:
            self.slowest, self.answers, self.silences = 0.0, 0, 0

    def must_be_heard(self, seconds=20):
        """An order is acknowledged: one of both kinds has an effect."""
        until(lambda: self.order(True) == 200 or self.order(False) == 200,
              seconds, "no order is acknowledged")

    def work(self):
        while True:
            self.at_work.wait()
            for pause in (True, False):
                with self.ordering:
                    heard = not self.at_work.is_set() or self.order(pause)
                if not heard:
                    time.sleep(0.05)
            time.sleep(0.02)

    def rest(self):
        """No order of theirs is under way when this returns."""
        self.at_work.clear()
        with self.ordering:
            pass

    def lost(self, folder):
        """Acknowledged orders that the journal in `folder` does not have. A
        copy is read, so that nothing is changed there."""
        pauses, resumes = self.account()
        copy = self.daemon.folder + "/looked-at"
        shutil.rmtree(copy, ignore_errors=True)
        os.mkdir(copy)
        for end in ("", "-wal"):
            if os.path.exists(folder + "/journal.db" + end):
                shutil.copy(folder + "/journal.db" + end, copy)
        journal = sqlite3.connect(copy + "/journal.db")
        try:
            rows = journal.execute(
                "SELECT code, why FROM entries WHERE object = 'scheduler' AND "
                "kind = 'decision' AND code IN ('pause', 'resume')").fetchall()
        finally:
            journal.close()
        there = {why.rsplit(": ", 1)[-1] for code, why in rows
                 if code == "pause"}
        back = sum(code == "resume" for code, _ in rows)
        return len(pauses - there) + max(0, resumes - back)


def requests_of_strangers():
    """One of each kind, as they are written."""
    paths = ["/", "/status.html", "/1/status", "/2/incidents", "/2/agents", "/healthz",
             "/readyz", "/metrics", "/2/status", "/2/nodes", "/2/nodes/node1",
             "/2/instances", "/2/instances/inst1", "/2/advice?all=1",
             "/2/advice", "/2/decisions?limit=500", "/2/explain/inst1",
             "/2/errands", "/2/plan", "/2/balance", "/2/nodes?limit=2",
             "/2/instances?state=needs-repair", "/%2e%2e/etc/passwd", "/nix"]
    all_of_them = ["GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path
                   for path in paths]
    body = json.dumps({"reason": "stranger"})
    for path in ("/2/pause", "/2/errands", "/2/instances/inst1/repair"):
        all_of_them.append(
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n"
            "\r\n%s" % (path, len(body), body))
    return [text.encode() for text in all_of_them]
