# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""orderlyd on the master node of the testbed, and what it tells."""
import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time

from bed import SCRIPT, Failed

CONFIG = """\
log_level = "debug"
[cluster]
poll_interval = "2s"
job_match_grace = "15s"
%(cluster)s
[host_ha]
check_interval = "1s"
check_timeout = "2s"
activity_timeout = "1s"
activity_interval_base = "2s"
activity_interval_max = "4s"
activity_checks = 4
retry_base = "5s"
retry_max = "15s"
evidence_max_age = "1m"
fence_timeout = "10s"
recovery_timeout = "10s"
[autorepair]
enabled = %(autorepair)s
check_interval = "5s"
%(more)s
[power]
command_timeout = "6s"
[storm]
settle = "6s"
percent_max = 10
[journal]
path = "%(journal)s"
[http]
port = %(port)d
socket = "%(folder)s/orderly.sock"
"""


class OverSocket(http.client.HTTPConnection):
    def __init__(self, path, limit):
        super().__init__("localhost", timeout=limit)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Notices:
    """What systemd would be told. Read at once: a full socket blocks."""

    def __init__(self, path):
        self.path = path
        if os.path.exists(path):
            os.unlink(path)
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.sock.bind(path)
        self.seen = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            text = self.sock.recv(4096).decode()
            if text == "close":
                break
            self.seen += text.split("\n")
        self.sock.close()

    def close(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(b"close", self.path)


class Daemon:
    """One orderlyd; keeps its folder over restarts."""

    def __init__(self, bed, program, cli, name, port=1816):
        self.bed, self.program, self.cli = bed, program, cli
        self.folder = "%s/orderly/%s" % (bed.folder, name)
        os.makedirs(self.folder, exist_ok=True)
        self.socket = self.folder + "/orderly.sock"
        self.log = self.folder + "/orderlyd.log"
        self.config = self.folder + "/orderly.toml"
        self.journal = self.folder + "/journal.db"
        self.port = port
        self.notices = Notices(self.folder + "/notify.sock")
        self.outer = None  # nsenter; orderlyd is its child
        self.pid = None
        self.seq = 0  # of the newest decision that was read
        self.story = []  # all decisions that were read
        self.configure()

    def configure(self, autorepair="true", luxid="", **more):
        """`luxid`: its socket, if not the usual one; `more`: further settings
        of auto-repair, texts or numbers."""
        cluster = "luxi_socket = %s" % json.dumps(luxid) if luxid else ""
        lines = ["%s = %s" % (key, json.dumps(value))
                 for key, value in more.items()]
        text = CONFIG % {"autorepair": autorepair, "port": self.port,
                         "folder": self.folder, "journal": self.journal,
                         "cluster": cluster, "more": "\n".join(lines)}
        with open(self.config, "w", encoding="ascii") as file:
            file.write(text)

    def launch(self, *options):
        """Starts it as its unit does, whatever comes of that."""
        with open(self.log, "ab") as log:
            self.outer = subprocess.Popen(
                [SCRIPT, "on", "node1", self.program, "--config", self.config,
                 *(options or ["--standby"])],
                env=dict(self.bed.environ, NOTIFY_SOCKET=self.notices.path),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start(self, *options):
        """Starts it, and waits until it is orderlyd that runs."""
        self.launch(*options)
        end = time.monotonic() + 10
        self.pid = None
        while self.pid is None and time.monotonic() < end:
            self.pid = self.find_child()
            if self.outer.poll() is not None:
                break
            time.sleep(0.01)
        if self.pid is None:
            raise Failed("orderlyd did not start: %s" % self.last_words())

    def find_child(self):
        """Our pid of the orderlyd that runs below nsenter."""
        path = "/proc/%d/task/%d/children" % (self.outer.pid, self.outer.pid)
        try:
            with open(path, encoding="ascii") as file:
                children = file.read().split()
            for child in children:
                if os.readlink("/proc/%s/exe" % child) == self.program:
                    return int(child)
        except OSError:
            pass
        return None

    def signal(self, number):
        os.kill(self.pid, number)

    def freeze(self):
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self):
        """nsenter stops with its child, and goes on only by itself."""
        os.kill(self.pid, signal.SIGCONT)
        os.kill(self.outer.pid, signal.SIGCONT)

    def end(self, number):
        """Signals orderlyd; (exit code, seconds until it was gone)."""
        began = time.monotonic()
        os.kill(self.pid, number)
        try:
            code = self.outer.wait(20)
        except subprocess.TimeoutExpired:
            os.kill(self.pid, signal.SIGKILL)
            self.outer.wait(20)
            self.pid = None
            raise Failed("orderlyd did not end within 20 s of signal %d: %s"
                         % (number, self.last_words())) from None
        self.pid = None
        return code, time.monotonic() - began

    def stop(self):
        """A proper end, which is also a rule of the test."""
        code, took = self.end(signal.SIGTERM)
        if code != 0 or took > 5:
            raise Failed("SIGTERM: orderlyd ended with code %d after %.1f s, "
                         "should be 0 within 5 s: %s"
                         % (code, took, self.last_words()))
        return took

    def crash(self):
        self.end(signal.SIGKILL)

    def discard(self):
        """Whatever is left of it, after a failure."""
        if self.pid is not None:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.pid = None
        if self.outer is not None and self.outer.poll() is None:
            self.outer.terminate()
            self.outer.send_signal(signal.SIGCONT)  # if it was frozen
            self.outer.wait(10)
        self.notices.close()

    def last_words(self):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                return " | ".join(file.read().splitlines()[-5:])
        except OSError:
            return "it wrote nothing"

    def get(self, target, limit=10):
        """(status, body) of a path over the unix socket."""
        line = OverSocket(self.socket, limit)
        try:
            line.request("GET", target)
            answer = line.getresponse()
            return answer.status, answer.read().decode()
        finally:
            line.close()

    def ask(self, *words):
        """What the command line says, as an object."""
        done = subprocess.run(
            [self.cli, "--socket", self.socket, "--output", "json", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            timeout=30, check=False)
        if done.returncode != 0:
            raise Failed("orderly %s: exit %d: %s" % (
                " ".join(words), done.returncode, done.stderr.strip()))
        return json.loads(done.stdout)

    def ready(self):
        try:
            return self.get("/readyz", 5)[0] == 200
        except OSError:
            return False

    def news(self):
        """Decisions that were not read yet, oldest first."""
        try:
            status, body = self.get("/2/decisions?limit=10000&after=%d"
                                    % self.seq, 5)
        except (OSError, http.client.HTTPException):
            return []
        if status != 200:
            return []
        fresh = json.loads(body)["decisions"]
        for entry in fresh:
            self.seq = max(self.seq, entry["seq"])
            entry["seen"] = time.monotonic()
        self.story += fresh
        return fresh
