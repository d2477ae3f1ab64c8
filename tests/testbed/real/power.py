# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""`orderly power` and its like against the testbed's power controller."""
import subprocess
import time

import judge
from bed import Failed, full, wait_until
from judge import need

FAILED = "OOB program execution failed"
ABORTED = ("OOB program execution timeout exceeded, "
           "OOB program execution aborted")
NODE6 = full("node6")


def orderly(course, *words, code=0, limit=300):
    """What the command line prints: (standard output, the other one)."""
    daemon = course.daemon
    try:
        done = subprocess.run(
            [daemon.cli, *words, "--socket", daemon.socket],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        raise Failed("orderly %s did not end within %d s" % (
            " ".join(words), limit)) from None
    need(done.returncode == code, "orderly %s: exit %d, should be %d: %s / %s"
         % (" ".join(words), done.returncode, code, done.stdout[-600:],
            done.stderr[-600:]))
    return done.stdout, done.stderr


def has(text, *parts):
    for part in parts:
        need(part in text, "'%s' is missing in: %s" % (part, text[-800:]))


def cells(text):
    """A table's last column by its first."""
    rows = [line.split(None, 1) for line in text.splitlines()[1:]]
    return {row[0].split(".")[0]: row[1].strip() for row in rows
            if len(row) == 2}


def world(bed, node):
    """What the controller itself knows: on or off."""
    return bed.call("power", "status", node).strip()


def recorded(bed, node):
    """What Ganeti's own tool shows: (powered, offline), each Y or N."""
    text = bed.master("gnt-node", "list", "--no-headers", "-o",
                      "powered,offline", full(node))
    return tuple(text.split())


def stands(bed, node, is_now, powered, offline):
    need(world(bed, node) == is_now, "%s should be %s, is %s"
         % (node, is_now, world(bed, node)))
    need(recorded(bed, node) == (powered, offline), "%s should be recorded "
         "powered %s, offline %s; gnt-node shows %s"
         % (node, powered, offline, recorded(bed, node)))


def forget_calls(bed):
    """The log of the helper outlives a restored testbed."""
    with open(bed.folder + "/oob/calls.log", "w", encoding="utf-8"):
        pass


def calls(bed, node, *commands):
    """How often the helper was called so."""
    return len(call_times(bed, node, *commands))


def call_times(bed, node, *commands):
    """When it was, in whole seconds since the epoch."""
    with open(bed.folder + "/oob/calls.log", encoding="utf-8") as file:
        lines = [line.split() for line in file]
    return [time.mktime(time.strptime(line[0], "%Y-%m-%dT%H:%M:%S"))
            for line in lines if line[2] == node and line[1] in commands]


def begin(course):
    forget_calls(course.bed)
    course.after = course.bed.last_job()
    course.began = time.monotonic()
    course.daemon.start()
    wait_until(20, "orderlyd is ready", course.daemon.ready,
               story=course.daemon.last_words)
    wait_until(20, "orderlyd says that all nodes are available",
               course.all_available, story=course.daemon.last_words)
    course.daemon.news()


def power(course):
    """Off, on, cycle, status and health, each read back; controllers that
    misbehave, each with its own words; what a person wants stays so."""
    bed = course.bed
    begin(course)
    readings(course)
    refusals(course)
    off_for_good(course)
    pressed_by_hand(course)
    cycled(course)
    misbehaving(course)
    for job in judge.our_jobs(bed, course.after):
        need(job["status"] == "success", "%s ended with %s"
             % (job["name"], job["status"]))
    course.daemon.stop()


def readings(course):
    out, _ = orderly(course, "power", "status")
    need(cells(out) == {"node%d" % i: "on" for i in range(1, 7)},
         "power status of all nodes: " + out)
    out, _ = orderly(course, "health", NODE6)
    has(out, "disk0=OK", "psu1=OK")
    course.bed.call("oob", "node6", "warn")
    out, _ = orderly(course, "health", NODE6)
    has(out, "disk0=WARNING", "psu1=CRITICAL", "fan=OK", "cpu1=UNKNOWN")
    course.bed.call("oob", "node6", "ok")
    logged = {"Item 'disk0' on node '%s' has status 'WARNING'" % NODE6,
              "Item 'psu1' on node '%s' has status 'CRITICAL'" % NODE6}

    def seen(_):
        told = " / ".join(entry["why"] for entry in course.daemon.story)
        return all(text in told for text in logged)
    course.follow(10, "WARNING and CRITICAL of node6 are among the decisions",
                  seen)
    course.mark("read status and health")


def refusals(course):
    """What is asked wrongly changes nothing."""
    bed = course.bed
    before = bed.last_job()
    out, err = orderly(course, "power", "off", code=1)
    has(out + err, "Please provide at least one node for this command")
    # Without a terminal and without --yes nobody can have agreed.
    out, err = orderly(course, "power", "off", NODE6, code=2)
    has(err, "no terminal", "--yes")
    out, err = orderly(course, "power", "off", full("node1"), "--yes", code=1)
    has(out + err, "Operating on the master node")
    out, err = orderly(course, "power", "off", "--yes", "nosuch", code=1)
    has(out + err, "nosuch")
    need(bed.last_job() == before and all(
        calls(bed, "node%d" % i, "power-off", "power-cycle") == 0
        for i in range(1, 7)), "a command that was refused did something")
    course.mark("refused what was asked wrongly")


def off_for_good(course):
    """A node that a person switched off stays off."""
    bed, daemon = course.bed, course.daemon
    out, _ = orderly(course, "power", "off", NODE6, "--yes", "--reason",
                     "new memory")
    has(out, NODE6, "invoked")
    stands(bed, "node6", "off", "N", "Y")
    need(calls(bed, "node6", "power-off") == 1,
         "power-off was called %d times" % calls(bed, "node6", "power-off"))
    out, _ = orderly(course, "node", "info", NODE6)
    has(out, "offline: True", "powered: False", "power wish: off, by ",
        "new memory")
    time.sleep(8)
    daemon.stop()
    daemon.start()
    wait_until(20, "orderlyd is ready again", daemon.ready,
               story=daemon.last_words)
    time.sleep(8)
    stands(bed, "node6", "off", "N", "Y")
    need(calls(bed, "node6", "power-on", "power-cycle") == 0,
         "node6 was switched on, but nobody wanted that")
    out, _ = orderly(course, "node", "info", NODE6)
    has(out, "power wish: off, by ")
    course.mark("switched off by a person, and left so over a restart")


def pressed_by_hand(course):
    """The record and the world differ: told, and never corrected."""
    bed = course.bed
    bed.call("power", "on", "node6")
    text = ("Recorded power state (False) of node '%s' does not match actual "
            "power state (True)" % NODE6)
    out, err = orderly(course, "power", "status", NODE6)
    has(out, "on")
    has(out + err, text)
    # verify warns of it, which is not a failure.
    out, err = orderly(course, "verify")
    has(out + err, text)
    need(recorded(bed, "node6") == ("N", "Y"),
         "a mismatch was corrected: %s" % (recorded(bed, "node6"),))
    out, _ = orderly(course, "node", "modify", "--powered=yes", NODE6)
    has(out, "powered -> True")
    need(recorded(bed, "node6") == ("Y", "Y"),
         "node modify --powered=yes: %s" % (recorded(bed, "node6"),))
    orderly(course, "node", "modify", "--offline=no", NODE6)
    stands(bed, "node6", "on", "Y", "N")
    course.mark("told that the record is wrong, corrected by a person")


def boot(bed, node):
    with open("%s/nodes/%s/init.pid" % (bed.folder, node),
              encoding="ascii") as file:
        return file.read().strip()


def cycled(course):
    """Cycle boots the node anew, off and on switch it."""
    bed = course.bed
    before = boot(bed, "node6")
    out, _ = orderly(course, "power", "cycle", NODE6, "--yes")
    has(out, "invoked")
    need(boot(bed, "node6") != before, "node6 was not booted anew")
    stands(bed, "node6", "on", "Y", "N")
    orderly(course, "power", "off", NODE6, "--yes")
    stands(bed, "node6", "off", "N", "Y")
    out, _ = orderly(course, "power", "on", NODE6)
    has(out, "invoked")
    stands(bed, "node6", "on", "Y", "Y")
    orderly(course, "node", "modify", "--offline=no", NODE6)
    stands(bed, "node6", "on", "Y", "N")
    course.mark("cycled, and off and on again")


def misbehaving(course):
    """Each fault of a controller has its own words and changes no record."""
    bed = course.bed
    said = {
        "fail": FAILED + " (BMC of node6 does not answer)",
        "exit3": "chassis is locked; undefined exit code 3",
        "garbage": "is not an object {\"powered\": true|false}",
        "hang": ABORTED,
    }
    for mode, text in said.items():
        bed.call("oob", "node6", mode)
        began = time.monotonic()
        out, err = orderly(course, "power", "status", NODE6, "--oob-timeout",
                           "2", code=1)
        need(time.monotonic() - began < 15, "status of a controller in mode "
             "%s took %.1f s" % (mode, time.monotonic() - began))
        has(out, "unknown")
        has(out + err, text)
    for mode, text in {"fail": FAILED, "lies-on": "on",
                       "garbage": "must print nothing"}.items():
        bed.call("oob", "node6", mode)
        out, err = orderly(course, "power", "off", NODE6, "--yes",
                           "--ignore-status", "--oob-timeout", "2", code=1)
        has(out + err, text)
        need("invoked" not in out, "power off in mode %s: %s" % (mode, out))
        stands(bed, "node6", "on", "Y", "N")
    # One bad controller spoils nobody else's answer.
    bed.call("oob", "node6", "hang")
    # The others start a program each, which may take its time.
    out, _ = orderly(course, "power", "status", "--oob-timeout", "8", code=1)
    need(cells(out) == dict({"node%d" % i: "on" for i in range(1, 6)},
                            node6="unknown"), "status of all: " + out)
    bed.call("oob", "node6", "ok")
    course.mark("every misbehaviour in its own words, the record unchanged")


def readd(course):
    """A node that was fenced comes back: power on by a person, then readd."""
    bed = course.bed
    forget_calls(bed)
    course.begin([])
    course.follow(60, "node2 is fenced and marked offline",
                  lambda _: bed.node("node2")["offline"], 0.5)
    stands(bed, "node2", "off", "N", "Y")
    time.sleep(5)
    need(calls(bed, "node2", "power-on") == 0, "node2 was switched on without "
         "a person who wants that")
    orderly(course, "power", "on", full("node2"), "--reason", "repaired")
    stands(bed, "node2", "on", "Y", "Y")
    course.mark("node2 switched on by a person")
    bed.master("gnt-node", "add", "--readd", "--no-ssh-key-check",
               full("node2"))
    stands(bed, "node2", "on", "Y", "N")
    course.mark("node2 readded")
    course.follow(60, "orderlyd says that node2 is available", lambda _: any(
        row["name"] == full("node2") and row["phase"] == "available"
        for row in course.daemon.ask("nodes")["nodes"]), 1)
    need(calls(bed, "node2", "power-off") <= 1 and world(bed, "node2") == "on",
         "node2 was switched off again")
    course.daemon.stop()
