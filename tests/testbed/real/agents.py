# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""orderly-agent on the nodes of the testbed, and what their scripts report."""
import json
import os
import subprocess

from bed import SCRIPT, Failed, wait_until

# As the node sees them: both are folders of its own.
SCRIPTS = "/etc/ganeti/node-diagnose-commands"
OWN = "/var/lib/testbed"

CONFIG = """\
[node]
folder = "%(own)s/agent"
[diagnose]
command = "how"
interval = "1s"
time_limit = "3s"
kill_delay = "1s"
"""

# What a script of an administrator may do; `says` prints the report.
WAYS = {
    "says": "exec cat %s/report" % OWN,
    "hangs": "trap '' TERM; while :; do sleep 1; done",
    "fails": "echo no such disk >&2; exit 1",
    "raves": "head -c 3000 /dev/urandom",
}


class Agents:
    """One a node, with the script `how`, which says Ok at first."""

    def __init__(self, bed, program, names):
        self.bed, self.program = bed, program
        self.running = {}
        self.folder = bed.folder + "/orderly/agents"
        os.makedirs(self.folder, exist_ok=True)
        for name in names:
            self.report(name, {"status": "Ok"})
            self.behave(name, "says")
            self.start(name)
        for name in names:
            wait_until(20, "the agent of %s serves" % name,
                       lambda n=name: "serves" in self.said(n),
                       story=lambda n=name: self.said(n)[-300:])

    def path(self, name, part):
        return "%s/nodes/%s/%s" % (self.bed.folder, name, part)

    def put(self, name, part, text, mode=0o644):
        """A file of the node, there as a whole or not at all."""
        path = self.path(name, part)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path + ".new", mode)
        os.rename(path + ".new", path)

    def repairs(self, name, command, script):
        """A repair command of the node, and what Ganeti runs to get there."""
        wrapper = "#!/bin/sh\nexec %s --config %s/agent.toml\n" % (
            self.program.replace("orderly-agent", "orderly-repair"), OWN)
        for part, text in (("restricted-commands/orderly-repair", wrapper),
                           ("node-repair-commands/" + command,
                            "#!/bin/sh\n" + script)):
            self.put(name, "etc-ganeti/" + part, text, 0o700)

    def report(self, name, what):
        self.put(name, "var-lib-testbed/report", json.dumps(what))

    def behave(self, name, way):
        """From its next run on, and at once for what its script does now."""
        self.put(name, "etc-ganeti/node-diagnose-commands/how",
                 "#!/bin/sh\n%s\n" % WAYS[way], 0o700)

    def start(self, name):
        os.makedirs(self.path(name, "var-lib-testbed/agent"), exist_ok=True)
        self.put(name, "var-lib-testbed/agent.toml", CONFIG % {"own": OWN})
        with open("%s/%s.log" % (self.folder, name), "ab") as log:
            self.running[name] = subprocess.Popen(
                [SCRIPT, "on", name, self.program, "--config",
                 OWN + "/agent.toml"], env=self.bed.environ,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def said(self, name):
        with open("%s/%s.log" % (self.folder, name), encoding="utf-8",
                  errors="replace") as file:
            return file.read()

    def kill(self, name):
        """At once, as a crash would."""
        outer = self.running.pop(name)
        path = "/proc/%d/task/%d/children" % (outer.pid, outer.pid)
        with open(path, encoding="ascii") as file:
            children = file.read().split()
        if not children:
            raise Failed("the agent of %s does not run" % name)
        for child in children:
            os.kill(int(child), 9)
        outer.wait(10)

    def end(self):
        for outer in self.running.values():
            outer.terminate()
        for outer in self.running.values():
            outer.wait(20)
        self.running = {}
