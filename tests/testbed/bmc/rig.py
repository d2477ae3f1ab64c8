# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""One helper program, the controller that it is tried on, and what must be."""
import json
import os
import re
import subprocess
import sys
import threading
import time

HELPERS = os.path.realpath(os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../../configs/helpers"))
GRACE = 3.0  # seconds that a helper may take beyond its limit on a busy machine
REDFISH_ONLY = ("conflict_is_success", "a_forbidden_reset", "nonsense",
                "an_untrusted_certificate")
# A fence agent knows no sensors, and only IPMI has some without values.
LEAVES_OUT = {"oob-ipmi": REDFISH_ONLY + ("another_agent",),
              "oob-redfish": ("sensors_without_values", "another_agent"),
              "oob-fence-agent": REDFISH_ONLY + ("sensors",
                                                 "sensors_without_values")}
FAILED = "OOB program execution failed ("


class Failed(Exception):
    """Something is not as it must be."""


class Rig:
    """Helper `helper` on controller `number`."""
    mouth = threading.Lock()

    def __init__(self, number, helper, folder, environ, call, script):
        self.number = number
        self.node = "node%d" % number
        self.helper = helper
        self.folder = folder
        self.state = "%s/run/node%d" % (folder, number)
        self.config = folder + "/run/helpers.conf"
        self.environ = environ
        self.call = call
        self.script = script
        self.program = "%s/%s" % (HELPERS, helper)
        self.leaves_out = LEAVES_OUT.get(helper, ())
        self.patience = "60"  # seconds, of the daemon
        # The daemon passes no options: a wrapper names the settings.
        self.wrapper = "%s/%s" % (folder, helper)
        self.wrap(self.config)
        self.patient = self.with_patience()

    def with_patience(self):
        """The settings again, with the time that a busy machine may need.

        The times of the others are short because tests wait for their end.
        """
        path = "%s/%s-patient.conf" % (self.folder, self.helper)
        with open(self.config, encoding="utf-8") as file:
            text = file.read()
        for name in ("time_limit", "read_limit"):
            text = re.sub("(?m)^%s = .*$" % name, "%s = 50" % name, text)
        with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600),
                  "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def wrap(self, config):
        self.wrapped = config
        with open(self.wrapper, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec %s --config %s \"$@\"\n"
                       % (self.program, config))
        os.chmod(self.wrapper, 0o755)

    def say(self, text):
        with Rig.mouth:
            for line in text.rstrip().split("\n"):
                print("%-15s %s" % (self.helper, line))
            sys.stdout.flush()

    def testbed(self, *words):
        done = subprocess.run([self.script, *words], env=self.environ,
                              text=True, stdout=subprocess.PIPE, timeout=30,
                              stdin=subprocess.DEVNULL, check=False)
        return done.stdout.strip()

    def fault(self, kind):
        self.testbed("fault", str(self.number), kind)

    def machine(self):
        """The process that is the machine, or "" if it is off."""
        return self.testbed("machine", str(self.number))

    def told(self):
        """What was set at the controller, ever."""
        try:
            with open(self.state + "/calls", encoding="utf-8") as file:
                return sum(line.startswith("set") for line in file)
        except FileNotFoundError:
            return 0

    def daemon(self, command, node=None, limit=None):
        """The helper, called by the daemon's own code; its account."""
        if limit is None:
            limit = 4 if command in ("power-status", "health") else 10
        if self.wrapped == self.patient:
            limit = 50
        done = subprocess.run(
            [self.call, self.wrapper, command, node or self.node,
             self.patience],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
            timeout=90, check=True)
        said = json.loads(done.stdout)
        self.say("   %s %s: %s" % (command, node or self.node,
                                   json.dumps(said)))
        if said["ms"] > 1000 * (limit + GRACE):
            raise Failed("%s took %d ms, beyond its limit" % (command,
                                                              said["ms"]))
        return said

    def patiently(self, command):
        """What is to succeed may take its time."""
        before = self.wrapped
        if before != self.config:
            return self.daemon(command)
        self.wrap(self.patient)
        try:
            return self.daemon(command)
        finally:
            self.wrap(before)

    def does(self, command):
        """It succeeds, and says nothing."""
        said = self.patiently(command)
        if not said["done"] or said["text"]:
            raise Failed("%s failed" % command)

    def reads(self, state):
        said = self.patiently("power-status")
        if said.get("state") != state or not said["done"]:
            raise Failed("the state must be " + state)

    def fails(self, command, *texts, node=None, program=None):
        """It fails, and says one of `texts` in the design's words."""
        said = self.daemon(command, node)
        start = "" if command == "health" else FAILED
        if said["done"] or not said["text"].startswith(start):
            raise Failed("%s must fail with \"%s\"" % (command, start))
        if said.get("state", "unknown") != "unknown":
            raise Failed("a failure knows no state")
        if not any(x in said["text"] for x in texts):
            raise Failed("it must say %s" % " or ".join(texts))
        for must in (node or self.node, self.helper):
            if must not in said["text"]:
                raise Failed("it must name " + must)
        return said

    def by_hand(self, *words, environ=None):
        """(exit code, stdout, stderr), without the daemon."""
        done = subprocess.run([self.program, *words], env=environ, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    def until(self, what, limit=10):
        """Waits until `what()` is true."""
        end = time.monotonic() + limit
        while not what():
            if time.monotonic() > end:
                raise Failed("it did not come about within %d s" % limit)
            time.sleep(0.2)

    def must(self, fact, text):
        if not fact:
            raise Failed(text)
