#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""The shipped helper programs against controllers that mean harm. What a
controller says is data: whatever it is, no file of ours is read or written for
it, nothing is asked elsewhere, a helper ends in time with 0, 1 or 77, prints
nothing but what it promised, and says that a machine is off only if the
controller said so last."""
import argparse
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True  # the tree stays as it is

import malice

HERE = os.path.dirname(os.path.abspath(__file__))
HELPERS = os.path.join(HERE, "..", "..", "..", "configs", "helpers")
COMMANDS = ("power-status", "power-off", "power-on", "power-cycle",
            "power-reset", "health")
DENIED = 77  # the controller refused the user or the password
SECRET = "word-that-nobody-may-hear"
LIMIT = 20  # seconds for one run, of which a helper may take 2
REQUESTS_MAX = 60  # of one run: 8 chassis of 3 documents, twice, and some


# The two walls before curl's settings: what is a place on a controller, and what
# may be a word to a tool.
WALLS = {"oob-redfish": ('re.compile(r"/[!-~]*")', 're.compile(r"(?s).*")'),
         "oob_run.py": ("if not word.isprintable():", "if False:")}


class Harm(Exception):
    """A controller got what it wanted."""


def listing(folder):
    """What is there, and what it holds."""
    result = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                result[path] = file.read()
    return result


class Trial:
    """One helper, one command, one hostile controller, from one seed."""

    def __init__(self, kind, seed, folder, helpers=HELPERS):
        self.helpers = helpers
        self.dice = random.Random("%s %d" % (kind.helper, seed))
        self.seed = seed
        self.command = self.dice.choice(COMMANDS)
        self.folder = os.path.join(folder, "%s-%d" % (kind.helper, seed))
        self.guarded = os.path.join(self.folder, "ours")
        os.makedirs(self.guarded)
        self.secret = os.path.join(self.guarded, "secret")
        with open(self.secret, "w", encoding="utf-8") as file:
            file.write(SECRET + "\n")
        self.controller = kind(self)
        self.config = os.path.join(self.folder, "helpers.conf")
        with open(self.config, "w", encoding="utf-8") as file:
            file.write("[*]\ntime_limit = 2\nread_limit = 2\noff_time = 1\n"
                       "[node1]\n" + self.controller.settings())
        os.chmod(self.config, 0o644)

    def run(self):
        before = listing(self.guarded)
        environ = dict(os.environ, PATH=self.folder + ":/usr/sbin:/usr/bin:/bin")
        began = time.monotonic()
        try:
            done = subprocess.run(
                [os.path.join(self.helpers, self.controller.helper), "--config",
                 self.config, self.command, "node1"], env=environ,
                stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
                check=False, cwd=self.guarded)
        except subprocess.TimeoutExpired as late:
            raise Harm("it does not end") from late
        finally:
            heard = self.controller.end()
        self.took = time.monotonic() - began
        if listing(self.guarded) != before:
            raise Harm("files changed: %s" % sorted(listing(self.guarded)))
        if SECRET in heard:
            raise Harm("the controller heard a secret")
        if self.controller.asked > REQUESTS_MAX:
            raise Harm("%d requests" % self.controller.asked)
        self.judge(done.returncode, done.stdout.decode("utf-8", "replace"),
                   done.stderr.decode("utf-8", "replace"))

    def judge(self, code, out, err):
        if SECRET in out or SECRET in err:
            raise Harm("it printed a secret")
        if code not in (0, 1, DENIED):
            raise Harm("exit code %d: %s" % (code, err[-300:]))
        if "Traceback" in err:
            raise Harm(err[-600:])
        if code != 0 and (out or err.count("\n") != 1):
            raise Harm("a failure is one line on standard error: %r" % err)
        if not err.rstrip("\n").isprintable():
            raise Harm("it prints what a terminal obeys: %r" % err)
        if code != 0:
            return
        reads = {"power-status": self.is_status, "health": self.is_health}
        if not reads.get(self.command, lambda x: x == "")(out):
            raise Harm("exit code 0 with %r" % out)
        last = self.controller.last
        if self.command == "power-off" and last != "off":
            raise Harm("done, and the controller said %s" % last)
        if self.command in ("power-on", "power-cycle") and last != "on":
            raise Harm("done, and the controller said %s" % last)

    def is_status(self, out):
        said = json.loads(out)
        return said == {"powered": True} \
            or said == {"powered": False} and self.controller.last == "off"

    @staticmethod
    def is_health(out):
        return all(isinstance(item, str) and item.isprintable() and status in
                   ("OK", "WARNING", "CRITICAL", "UNKNOWN")
                   for item, status in json.loads(out))


def attempt(kind, seed, folder, helpers=HELPERS):
    """None, or what went wrong."""
    trial = Trial(kind, seed, folder, helpers)
    try:
        trial.run()
        shutil.rmtree(trial.folder)
        return None
    except (Harm, ValueError, TypeError) as harm:
        return "%s, seed %d, %s: %s" % (kind.helper, seed, trial.command, harm)


def canary(kind, folder):
    """The guard itself: a controller that is believed must be found out."""
    trial = Trial(kind, 0, folder)
    with open(os.path.join(trial.guarded, "new"), "w", encoding="utf-8"):
        before = listing(trial.guarded)
    trial.controller.end()
    os.unlink(os.path.join(trial.guarded, "new"))
    if listing(trial.guarded) == before:
        raise SystemExit("a file that comes or goes is not noticed")
    for code, out, err in ((2, "", "x\n"), (1, "x", "x\n"), (1, "", "a\nb\n"),
                           (1, "", "\x1b[2J\n"), (0, "no", ""),
                           (1, "", SECRET + "\n"), (1, "", "Traceback\n")):
        try:
            trial.judge(code, out, err)
        except (Harm, ValueError):
            continue
        raise SystemExit("%r is taken for harmless" % ((code, out, err),))


def attempts(kind, seeds, folder, helpers=HELPERS):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return [x for x in pool.map(
            lambda seed: attempt(kind, seed, folder, helpers), seeds) if x]


def without(names, folder):
    """The helpers with these walls torn down."""
    copy = os.path.join(folder, "without-" + "-".join(names))
    shutil.copytree(HELPERS, copy)
    for name in names:
        path = os.path.join(copy, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if text.count(WALLS[name][0]) != 1:
            raise SystemExit("there is no such wall in %s any more" % name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(*WALLS[name]))
    return copy


def walls(seeds, folder):
    """Each wall holds without the other; without both there is harm, or the
    controllers do not mean it."""
    bad = []
    for name in WALLS:
        bad += ["without the wall in %s: %s" % (name, x) for x in attempts(
            malice.Redfish, seeds, folder, without([name], folder))]
    if not attempts(malice.Redfish, seeds, folder, without(list(WALLS), folder)):
        bad.append("without both walls no controller does harm")
    print("with one of two walls, and with none: %d wrong"
          % len(bad), flush=True)
    return bad


def main():
    text = argparse.ArgumentParser(description=__doc__)
    text.add_argument("--runs", type=int, default=120, help="for each helper")
    text.add_argument("--seed", type=int, default=1)
    text.add_argument("--only", choices=[x.helper for x in malice.KINDS])
    args = text.parse_args()
    lacking = [x for x in ("curl", "openssl") if not shutil.which(x)]
    if lacking:
        print("SKIPPED: %s are not installed" % " and ".join(lacking))
        return 77
    folder = tempfile.mkdtemp(prefix="orderly-hostile-")
    bad = []
    try:
        malice.prepare(folder)
        for kind in malice.KINDS:
            if args.only not in (None, kind.helper):
                continue
            canary(kind, folder)
            seeds = range(args.seed, args.seed + args.runs)
            found = attempts(kind, seeds, folder)
            print("%s: %d hostile controllers, %d harmful" % (
                kind.helper, args.runs, len(found)), flush=True)
            bad += found
            if kind is malice.Redfish:
                bad += walls(seeds, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for each in bad[:20]:
        print("HARM: " + each)
    return 1 if bad else 0


if __name__ == "__main__":
    threading.stack_size(1 << 20)
    sys.exit(main())
