#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""orderlyd against a real Ganeti cluster of six nodes (see ../ganeti.sh).

Brings up a testbed of its own, breaks it in the ways that --only lists, and
removes it again. Exit 0: all as it must be; 1: a line says what is not; 77:
no testbed can run on this machine.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # nothing is left beside the sources

import balance
import epo
import events
import harep
import htools
import lost
import orders
import power
import promises
import repairs
import service
import steps
from bed import Bed, Failed
from daemon import Daemon

STEPS = {
    "service": service.service,
    "repair": steps.repair,
    "crashes": steps.crashes,
    "hung-controller": steps.hung_controller,
    "promises": promises.promises,
    "no-permission": steps.no_permission,
    "luxid-dies": steps.luxid_dies,
    "lost-answers": lost.lost_answers,
    "every-repair": repairs.every_repair,
    "suspended": repairs.suspended,
    "asked-for": repairs.asked_for,
    "harep": harep.harep,
    "power": power.power,
    "readd": power.readd,
    "orders": orders.orders,
    "words": orders.words,
    "epo": epo.epo,
    "events": events.events,
    "live-repair": events.live_repair,
    "event-crashes": events.event_crashes,
    "hail": htools.hail,
    "balance": balance.balance,
    "hbal": balance.hbal_runs,
}

# Two groups of three nodes: default has node1 to node3, rack2 the others.
LAYOUT = """
  drbd@node2:node3 plain@node2 sharedfile@node2 diskless@node3
  drbd@node3:node1 file@node3 drbd@node4:node5 sharedfile@node5
  drbd@node5:node4 plain@node4 sharedfile@node4 drbd@node4:node6
"""


def say(text):
    print(text, flush=True)


def run_step(bed, args, name):
    """One step on a restored cluster; True if all was as it must be."""
    bed.restore()
    say("%s: %s" % (name, STEPS[name].__doc__))
    folder = "%s/orderly/%s" % (bed.folder, name)
    shutil.rmtree(folder, ignore_errors=True)
    daemon = Daemon(bed, args.orderlyd, args.orderly, name)
    course = steps.Course(bed, daemon, say)
    course.htools, course.agent = args.htools, args.agent
    began = time.monotonic()
    trouble = ""
    try:
        STEPS[name](course)
    except (Failed, OSError, subprocess.SubprocessError) as error:
        trouble = "%s" % error
    finally:
        course.end()
        daemon.discard()
        if course.agents:
            course.agents.end()
    course.report()
    say("%s: %s in %.0f s%s" % (
        name, "FAILED" if trouble else "ok", time.monotonic() - began,
        ": " + trouble if trouble else ""))
    if trouble:
        keep_log(daemon, name)
    return not trouble


def keep_log(daemon, name):
    """The end of the daemon's story, before the testbed is removed."""
    try:
        with open(daemon.log, encoding="utf-8", errors="replace") as file:
            for line in file.read().splitlines()[-60:]:
                say("  %s> %s" % (name, line))
    except OSError:
        pass


def arguments():
    text = argparse.ArgumentParser(description=__doc__)
    text.add_argument("--orderlyd", type=os.path.realpath)
    text.add_argument("--orderly", type=os.path.realpath)
    text.add_argument("--htools", type=os.path.realpath,
                      help="orderly-htools, for hail, balance and hbal")
    text.add_argument("--agent", type=os.path.realpath,
                      help="orderly-agent, for the steps of events")
    text.add_argument("--only", action="append", choices=STEPS,
                      help="run only this step (may be given again)")
    text.add_argument("--keep", action="store_true",
                      help="leave the testbed up, to look at it")
    text.add_argument("--up", metavar="STEPS",
                      help="bring a fresh testbed up, for these steps (with "
                           "commas; they must be all), and leave it up")
    text.add_argument("--down", action="store_true",
                      help="remove the testbed, and nothing else")
    args = text.parse_args()
    if not (args.up or args.down) and not (args.orderlyd and args.orderly):
        text.error("--orderlyd and --orderly are missing")
    return args


def bring_up(bed):
    bed.call("up", "--nodes", "6", "--layout", LAYOUT)


def prepare(bed, wanted):
    """A fresh testbed for steps that come as tests of their own."""
    lacking = set(STEPS) ^ set(wanted.split(","))
    if lacking:
        say("steps without a test, or tests without a step: %s"
            % ", ".join(sorted(lacking)))
        return 1
    bed.call("down", check=False)
    try:
        bring_up(bed)
    except Failed as error:
        say("the testbed: %s" % error)
        return 1
    return 0


def main():
    args = arguments()
    bed = Bed(os.environ.get("TESTBED_DIR", "/var/tmp/orderly-real"))
    why = bed.possible()
    if why:
        say(why)
        return 77
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if args.up:
        return prepare(bed, args.up)
    if args.down:
        bed.call("down", check=False)
        return 0
    began = time.monotonic()
    failed = []
    try:
        if not os.path.exists(bed.folder + "/snapshot.tar"):
            bring_up(bed)
        say("the cluster is up after %.0f s" % (time.monotonic() - began))
        for name in args.only or STEPS:
            if name in ("hail", "hbal") and not args.htools:
                say("%s: skipped, --htools is not given" % name)
                continue
            if name in ("events", "live-repair", "event-crashes") and not args.agent:
                say("%s: skipped, --agent is not given" % name)
                continue
            if not run_step(bed, args, name):
                failed.append(name)
    except Failed as error:
        say("the testbed: %s" % error)
        failed.append("testbed")
    finally:
        if not args.keep:
            bed.call("down", check=False)
    say("%s after %.0f s" % ("FAILED: " + ", ".join(failed) if failed
                             else "all is as it must be",
                             time.monotonic() - began))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
