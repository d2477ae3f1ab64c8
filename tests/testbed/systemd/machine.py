# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""A machine with a systemd of its own: namespaces of this one, made by boot.sh.
For run.py."""
import os
import signal
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.realpath(HERE + "/../../..")
NEEDS = ("unshare", "nsenter", "pivot_root", "chroot", "systemctl",
         "systemd-analyze", "ipmi_sim", "ipmitool", "fence_ipmilan", "curl",
         "openssl")
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


class Failed(Exception):
    """Something is not as it must be."""


def need(holds, text):
    if not holds:
        raise Failed(text() if callable(text) else text)


def until(seconds, text, what):
    """Waits for `what` to hold; its last answer."""
    end = time.monotonic() + seconds
    while True:
        found = what()
        if found:
            return found
        need(time.monotonic() < end, text)
        time.sleep(0.1)


def control_groups():
    """Where this machine has the hierarchy that a systemd can use; or None."""
    with open("/proc/mounts", encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[2] == "cgroup2":
                return words[1]
    return None


class Machine:
    def __init__(self, programs):
        self.folder = tempfile.mkdtemp(prefix="orderly-systemd-")
        self.console = self.folder + "/console"
        with open(self.console, "w", encoding="ascii"):
            pass
        # Its services are under a group of ours, which is its root.
        self.group = "%s/orderly-systemd-%d" % (control_groups(), os.getpid())
        os.mkdir(self.group)
        self.holder = subprocess.Popen(
            ["unshare", "--pid", "--mount", "--uts", "--ipc", "--net",
             "--cgroup", "--fork", "--kill-child=KILL",
             HERE + "/boot.sh", self.folder, programs, SOURCES],
            preexec_fn=self.join, stdin=subprocess.DEVNULL)
        self.first = until(30, "no process in the new namespaces",
                           self.first_process)
        until(60, lambda: "systemd does not come up: " + self.said(),
              lambda: self.holder.poll() is not None
              or self.run("systemctl", "is-system-running").stdout.strip()
              in ("running", "degraded"))
        need(self.holder.poll() is None, lambda: "no systemd: " + self.said())

    def join(self):
        with open(self.group + "/cgroup.procs", "w", encoding="ascii") as file:
            file.write(str(os.getpid()))

    def first_process(self):
        if self.holder.poll() is not None:
            return -1
        path = "/proc/%d/task/%d/children" % (self.holder.pid, self.holder.pid)
        with open(path, encoding="ascii") as file:
            return next(map(int, file.read().split()), 0)

    def said(self):
        with open(self.console, encoding="utf-8", errors="replace") as file:
            return file.read()[-2000:]

    def end(self):
        if self.holder.poll() is None:
            self.holder.send_signal(signal.SIGKILL)
        self.holder.wait()
        for _ in range(100):
            try:
                for path, _, _ in os.walk(self.group, topdown=False):
                    os.rmdir(path)
                break
            except OSError:
                time.sleep(0.1)  # the last ones are going
        os.remove(self.console)
        os.rmdir(self.folder + "/root")
        os.rmdir(self.folder)

    # --- in it -----------------------------------------------------------

    def run(self, *words, given=None):
        """In it, as its root."""
        return subprocess.run(
            ["nsenter", "--target", str(self.first), "--all", "--", "env",
             "-i", "PATH=" + PATH, *words], input=given, text=True,
            stdin=subprocess.DEVNULL if given is None else None,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
            check=False)

    def do(self, *words, given=None):
        """What must succeed; what it says."""
        done = self.run(*words, given=given)
        need(done.returncode == 0, "%s: exit code %d: %s" % (
            " ".join(words), done.returncode, done.stdout.strip()))
        return done.stdout

    def put(self, path, text, mode="600"):
        self.do("sh", "-c", "mkdir -p $(dirname %s) && cat > %s && chmod %s %s"
                % (path, path, mode, path), given=text)

    def drop_in(self, unit, name, text):
        """Lines of the section of services, or none of that name any more."""
        path = "/etc/systemd/system/%s.d/%s.conf" % (unit, name)
        if text is None:
            self.do("rm", path)
        else:
            self.put(path, "[Service]\n" + text, "644")
        self.do("systemctl", "daemon-reload")

    def shipped_drop_in(self, name):
        with open("%s/configs/orderlyd.service.d/%s.conf" % (SOURCES, name),
                  encoding="utf-8") as file:
            self.put("/etc/systemd/system/orderlyd.service.d/%s.conf" % name,
                     file.read(), "644")
        self.do("systemctl", "daemon-reload")

    def shown(self, unit, what):
        return self.do("systemctl", "show", unit, "--value", "-p",
                       what).strip()

    def pid(self, unit="orderlyd"):
        return int(self.shown(unit, "MainPID"))

    def log(self, unit="orderlyd"):
        return self.do("journalctl", "--no-pager", "-o", "cat", "-u", unit)
