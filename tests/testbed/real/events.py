# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What nodes report of themselves, by real agents, becomes events."""
import json
import time

import judge
from agents import Agents
from bed import full, wait_until
from judge import need

NODES = ["node%d" % number for number in range(1, 7)]
RULES = """
[maintenance]
mode = "act"
interval = "2s"
report_timeout = "2s"
retry_base = "2s"
retry_max = "10s"
"""
READY = "maintd:repairready:"
FAILED = "maintd:repairfailed:"
FIRST_JOB_WITHIN = 15  # seconds from a script's word
EMPTY_WITHIN = 120


def begin(course, agent):
    """Agents on all nodes, and orderlyd, which acts on what they say."""
    daemon = course.daemon
    course.agents = Agents(course.bed, agent, NODES)
    daemon.configure(autorepair="false")
    with open(daemon.config, "a", encoding="ascii") as file:
        file.write(RULES)
    course.after = course.bed.last_job()
    course.began = time.monotonic()
    course.come_up()


def mark_of(bed, name):
    """What stands on the node of an event that has ended, or an empty text."""
    tags = bed.query("node", ["tags"], ["=", "name", full(name)])[0]["tags"]
    found = [tag for tag in tags if tag.startswith((READY, FAILED))]
    need(len(found) < 2, "%s has several marks: %s" % (name, found))
    return found[0] if found else ""


def ends(course, name, kind):
    """Waits for the end of the event of that node; its UUID."""
    tag = course.follow(EMPTY_WITHIN, "%s is tagged %s" % (name, kind),
                        lambda _: mark_of(course.bed, name), 0.5)
    course.mark("%s is tagged" % name)
    need(tag.startswith(kind), "%s is tagged %s, should be %s"
         % (name, tag, kind))
    return tag[len(kind):]


def is_left(bed, name, stay=()):
    """Nothing is recorded on the node but for `stay`, and all run."""
    for instance, row in bed.instances().items():
        need(row["status"] == "running", "%s is %s" % (instance, row["status"]))
        there = full(name) in [row["pnode"], *row["snodes"]]
        need(there == (instance in stay), "%s %s on %s: %s, %s" % (
            instance, "is" if there else "is not", name, row["pnode"],
            row["snodes"]))


def untouched(bed, names):
    for name in names:
        row = bed.node(name)
        need(not row["offline"] and not row["drained"] and
             not mark_of(bed, name), "%s was touched: %s %s"
             % (name, row, mark_of(bed, name)))


def first_job(course, name, incident=None):
    """Seconds until something was sent for the node's word."""
    said = time.monotonic()
    before = course.bed.last_job()
    wait_until(FIRST_JOB_WITHIN, "a job for what %s says" % name,
               lambda: course.bed.last_job() > before,
               story=course.daemon.last_words)
    took = time.monotonic() - said
    course.mark("first job after %.1f s" % took)
    need(took <= FIRST_JOB_WITHIN * 4, "the first job for %s came after "
         "%.1f s" % (name, took))


def all_of(course, events):
    """Each job is of one of these events, was sent once, and went well."""
    course.wait_quiet()
    jobs = judge.our_jobs(course.bed, course.after)
    judge.each_intent_once(jobs)
    judge.all_went_well(jobs)
    for job in jobs:
        need(job["incident"] in events, "%s is of %s, should be of %s"
             % (job["name"], job["incident"], events))
    return jobs


def events(course):
    """A node asks to be emptied beside scripts that are good for nothing; one
    has what cannot move; one wants a command that it does not have."""
    begin(course, course.agent)
    bed, agents = course.bed, course.agents
    agents.behave("node2", "fails")
    agents.behave("node3", "raves")
    agents.behave("node6", "hangs")
    time.sleep(5)  # each has run at least once
    agents.report("node5", {"status": "evacuate", "disk": "sdc"})
    first_job(course, "node5")
    emptied = ends(course, "node5", READY)
    row = bed.node("node5")
    need(row["offline"], "node5 was emptied, but is not marked offline")
    is_left(bed, "node5")
    untouched(bed, ["node1", "node2", "node3", "node4", "node6"])
    jobs = all_of(course, [emptied])
    course.say("  node5 was emptied by %d jobs" % len(jobs))
    # What is there for good is said, and all else leaves.
    agents.report("node3", {"status": "evacuate"})
    agents.behave("node3", "says")
    blocked = ends(course, "node3", FAILED)
    is_left(bed, "node3", stay=("inst4", "inst6"))
    need(not bed.node("node3")["offline"],
         "node3 was marked offline with instances on it")
    # One has no such command.
    agents.report("node2", {"status": "live-repair", "command": "reseat"})
    agents.behave("node2", "says")
    unknown = ends(course, "node2", FAILED)
    all_of(course, [emptied, blocked, unknown])
    untouched(bed, ["node1", "node4", "node6"])
    forgotten(course, {"node5": (emptied, "completed"),
                       "node3": (blocked, "failed"),
                       "node2": (unknown, "failed")})
    course.daemon.stop()


def forgotten(course, ended):
    """All these are listed, acknowledged, and then no more."""
    listed(course, {event: status for event, status in ended.values()})
    for name, (event, _) in ended.items():
        course.agents.report(name, {"status": "Ok"})
        course.daemon.ask("ack", event)
    course.follow(60, "all events are forgotten",
                  lambda _: not listed_now(course), 0.5)
    for name in ended:
        need(not mark_of(course.bed, name), "%s still has a tag" % name)


RESEAT = """\
echo ran for "$GANETI_EVENT_ID" >> /var/lib/testbed/ran
tr '\\0' '\\n' < /proc/$$/environ >> /var/lib/testbed/ran
cat >> /var/lib/testbed/ran
echo reseated
"""
FAIL = "echo no such slot; exit 3\n"


def live_repair(course):
    """A node's own command runs by a real job, once for each event, with what
    the node said on its input; one fails, though Ganeti's job ends well."""
    begin(course, course.agent)
    agents, bed = course.agents, course.bed
    agents.repairs("node4", "reseat", RESEAT)
    agents.repairs("node6", "reseat", FAIL)
    wish = {"status": "live-repair", "command": "reseat", "slot": 3}
    agents.report("node4", wish)
    done = ends(course, "node4", READY)
    path = agents.path("node4", "var-lib-testbed/ran")
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    need(lines[:2] == ["ran for " + done, "GANETI_EVENT_ID=" + done]
         and json.loads(lines[2]) == wish, "the command was given: %s" % lines)
    agents.report("node6", wish)
    failed = ends(course, "node6", FAILED)
    row = course.daemon.ask("incident", failed)
    need("no such slot" in row["why"] and "code 3" in row["why"],
         "the event should say why the command failed: %s" % row["why"])
    # Nobody has another order for it: what ran once does not run again.
    text = bed.call("on", "node1", "gnt-node", "restricted-command",
                    "orderly-repair", full("node4"), check=False)
    bed.sent.add(bed.last_job())
    need("no order is deposited" in text, "it ran once more: %s" % text)
    untouched(bed, ["node1", "node2", "node3", "node5"])
    for name in ("node4", "node6"):
        row = bed.node(name)
        need(not row["offline"] and not row["drained"], "%s: %s" % (name, row))
    jobs = judge.our_jobs(bed, course.after)
    judge.each_intent_once(jobs)
    need(len(judge.with_opcode(jobs, "OP_RESTRICTED_COMMAND")) == 2,
         "there should be a job for each event")
    forgotten(course, {"node4": (done, "completed"),
                       "node6": (failed, "failed")})
    with open(path, encoding="ascii") as file:
        need(file.read().count("ran for") == 1, "the command ran twice")
    course.daemon.stop()


def listed_now(course):
    """As readers of the original maintenance daemon see them."""
    status, body = course.daemon.get("/1/status")
    need(status == 200, "/1/status: %d %s" % (status, body))
    return {row["uuid"]: row["repair-status"] for row in json.loads(body)}


def listed(course, wanted):
    """These events, in these states, in each of the ways to ask: soon, for a
    tag is seen before orderlyd has heard that its job has ended."""
    wait_until(20, "/1/status has %s" % wanted,
               lambda: listed_now(course) == wanted,
               story=lambda: "it has %s" % listed_now(course))
    rows = course.daemon.ask("incidents")["incidents"]
    need({row["uuid"] for row in rows} == set(wanted),
         "orderly incidents has %s" % rows)
    for event in wanted:
        row = course.daemon.ask("incident", event)
        need(row["kind"] == "event", "orderly incident says: %s" % row)


# What has been reached in the evacuation of node5, and seconds until the kill.
KILL_POINTS = [
    ("the drain of node5 is in the queue",
     lambda e: e["code"] == "job-submitted" and "drain" in e["why"], 0),
    ("a move is being submitted",
     lambda e: e["code"] == "job" and "igration" in e["why"], 0.2),
    ("a mirror is on its way",
     lambda e: e["code"] == "job-submitted" and "secondary" in e["why"], 0),
    ("the mark is in the queue",
     lambda e: e["code"] == "job-submitted" and "offline" in e["why"], 0),
]


def event_crashes(course):
    """orderlyd is killed four times while a node is emptied, and the agent of
    that node once: the same event ends well, and nothing happens twice."""
    begin(course, course.agent)
    agents, daemon = course.agents, course.daemon
    agents.report("node5", {"status": "evacuate"})
    for what, reached, pause in KILL_POINTS:
        course.follow(90, "kill point '%s'" % what,
                      lambda fresh, r=reached: any(map(r, fresh)), 0.02)
        time.sleep(pause)
        daemon.crash()
        course.mark("killed: " + what)
        if what == KILL_POINTS[1][0]:
            agents.kill("node5")
            agents.start("node5")
        daemon.start()
    event = ends(course, "node5", READY)
    is_left(course.bed, "node5")
    jobs = all_of(course, [event])
    course.say("  %d jobs, each with an intent of its own" % len(jobs))
    daemon.stop()
