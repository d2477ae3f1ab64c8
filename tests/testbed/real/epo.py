# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""`orderly epo` of one node group of the real cluster, off and on again."""
import json
import subprocess
import time

import judge
import power
from bed import PREFIX, full
from judge import need

GROUP = "rack2"
NODES = ["node4", "node5", "node6"]
INSTANCES = ["inst%d" % i for i in range(7, 13)]


def epo(course):
    """One group off and on again, with orderlyd killed in the middle of
    both: nothing twice, automation and the watcher held meanwhile."""
    bed = course.bed
    # Without a hold, auto-repair would move what runs in the group.
    bed.add_tag("cluster", "", PREFIX + "failover")
    power.begin(course)
    before = serials(bed)
    off(course)
    # By this orderly knows its own mark: two for that, one for the power.
    added = {x: serials(bed)[x] - before[x] for x in NODES}
    need(set(added.values()) == {3}, "changes of the records: %s" % added)
    held(course)
    on(course)
    course.wait_quiet()
    jobs = judge.our_jobs(bed, course.after)
    judge.each_intent_once(jobs)
    judge.all_went_well(jobs)
    once_each(jobs)
    course.mark("jobs looked through")
    # How the testbed's nodes are set up it never likes.
    faults = sorted(x for x in bed.faults() if not x.startswith("ENODESETUP"))
    need(not faults, "afterwards gnt-cluster verify complains of %s" % faults)
    course.mark("gnt-cluster verify")
    course.say("  %d jobs, each with an intent of its own" % len(jobs))
    course.daemon.stop()


class Asked:
    """A command that is left to itself: the daemon dies below it."""

    def __init__(self, course, *words):
        self.course, self.words = course, words
        self.process = subprocess.Popen(
            [course.daemon.cli, *words, "--socket", course.daemon.socket],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def end(self):
        """Ended by itself, or by us once the errand has ended: how it ends
        with the daemon away is the matter of other tests."""
        try:
            return self.process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.communicate()


def sheet(course, kind):
    """The newest errand of that kind with its rows, or None."""
    try:
        status, body = course.daemon.get("/2/errands")
        if status != 200:
            return None  # it is starting
        listed = json.loads(body)["errands"]
        names = [x["id"] for x in listed if x["kind"] == kind]
        if not names:
            return None
        return json.loads(course.daemon.get("/2/errands/" + names[-1])[1])
    except (OSError, ValueError):
        return None  # it is dead just now


def serials(bed):
    return {row["name"].split(".")[0]: row["serial_no"] for row in
            bed.query("node", ["name", "serial_no"])}


def states(errand, kind):
    return {row["object"].split(".")[0]: row["state"]
            for row in errand["rows"] if row["kind"] == kind}


def kill_and_restart(course, what):
    course.daemon.crash()
    course.mark("killed: " + what)
    time.sleep(1)
    course.daemon.start()


def follow_errand(course, kind, limit):
    """Until it has ended; all of its rows must be done."""
    def ended(_):
        errand = sheet(course, kind)
        return errand if errand and errand["ended"] else None
    errand = course.follow(limit, "the errand %s ends" % kind, ended, 0.5)
    wrong = [(row["object"], row["state"], row["text"])
             for row in errand["rows"] if row["state"] != "done"]
    need(not wrong and not errand["failed"], "rows of %s that are not done: "
         "%s; remarks: %s" % (kind, wrong, errand["remarks"]))
    return errand


def off(course):
    """Killed once while instances are shut down, once between nodes."""
    bed = course.bed
    asked = Asked(course, "epo", "--groups", GROUP, "--yes", "--reason",
                  "smoke in rack 2")
    course.follow(60, "the first instance is down", lambda _: any(
        x == "done" for x in states(sheet(course, "epo") or {"rows": []},
                                    "instance").values()), 0.05)
    kill_and_restart(course, "one instance at least was shut down")
    course.follow(60, "a node is switched off", lambda _: any(
        power.calls(bed, node, "power-off") for node in NODES), 0.02)
    kill_and_restart(course, "power-off of one node at least had begun")
    # Ganeti asks every node when it changes one, and some are off by now.
    errand = follow_errand(course, "epo", 240)
    asked.end()
    course.mark("the group is off")
    need(sorted(states(errand, "instance")) == sorted(INSTANCES)
         and sorted(states(errand, "node")) == NODES, "the errand is about %s"
         % [row["object"] for row in errand["rows"]])
    for node in NODES:
        power.stands(bed, node, "off", "N", "Y")
    down = [job["end_ts"] for job in judge.with_opcode(
        judge.our_jobs(bed, course.after), "OP_INSTANCE_SHUTDOWN")]
    first = min(at for node in NODES
                for at in power.call_times(bed, node, "power-off"))
    need(first + 1 > max(judge.seconds(at) for at in down), "a node was "
         "switched off before the last instance was down")
    wanted = {row["name"]: row["admin_state"] for row in
              bed.query("instance", ["name", "admin_state"])}
    for name in INSTANCES:
        need(wanted[full(name)] == "up", "%s is not wanted up any more: %s"
             % (name, wanted[full(name)]))


def watcher_rests(bed):
    until = bed.luxi("QueryConfigValues", [["watcher_pause"]])[0]
    return until is not None and until > time.time()


def held(course):
    """Nothing of the group is repaired, fenced or switched on."""
    bed, daemon = course.bed, course.daemon
    need(watcher_rests(bed), "Ganeti's watcher is not paused")
    before = bed.last_job()
    bed.master("ganeti-watcher")
    time.sleep(8)
    strange = [job["summary"] for job in bed.jobs(before)
               if not judge.only_asks(job)]
    need(not strange, "jobs while the group is off: %s" % strange)
    row = daemon.ask("explain", full("node4"))["nodes"][0]
    need("emergency power-off" in json.dumps(row), "explain node4 does not "
         "say that it is held: %s" % row)
    for node in NODES:
        power.stands(bed, node, "off", "N", "Y")
        need(power.calls(bed, node, "power-on", "power-cycle") == 0,
             "%s was switched on" % node)
    course.mark("left alone for a while, by the watcher too")


def on(course):
    """Killed once while it waits for the nodes."""
    bed = course.bed
    asked = Asked(course, "epo", "--on", "--groups", GROUP)
    course.follow(60, "every node is switched on", lambda _: all(
        power.calls(bed, node, "power-on") for node in NODES), 0.05)
    kill_and_restart(course, "power-on of every node had begun")
    follow_errand(course, "epo-on", 200)
    asked.end()
    course.mark("the group is on")
    for node in NODES:
        power.stands(bed, node, "on", "Y", "N")
    rows = bed.instances()
    bad = {name: row["status"] for name, row in rows.items()
           if row["status"] != "running"}
    need(not bad, "instances that do not run: %s" % bad)
    course.follow(30, "the watcher goes on",
                  lambda _: not watcher_rests(bed), 0.5)
    course.mark("the watcher goes on")


def once_each(jobs):
    """No instance was stopped or started twice, none was moved."""
    for name in INSTANCES:
        for code in ("OP_INSTANCE_SHUTDOWN", "OP_INSTANCE_STARTUP"):
            these = judge.with_opcode(jobs, code, instance_name=full(name))
            need(len(these) == 1, "%s: %d jobs with %s, should be one"
                 % (name, len(these), code))
    kinds = {op["OP_ID"] for job in jobs for op in job["ops"]}
    need(kinds <= {"OP_INSTANCE_SHUTDOWN", "OP_INSTANCE_STARTUP",
                   "OP_NODE_SET_PARAMS"}, "other jobs were sent: %s" % kinds)
