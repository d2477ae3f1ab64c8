# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What a person ordered counts at once, and can be taken back."""
import json
import re
import subprocess
import time

import epo
import judge
import lost
import power
import repairs
from bed import PREFIX, full, wait_until
from judge import need

FAILOVER = "OP_INSTANCE_FAILOVER"
MARK = "OP_NODE_SET_PARAMS"
NODE3 = full("node3")
WHY = "new memory"
# What undoes a mark of an order; and of a node that may be recorded off.
BACK = "orderly node modify --offline=no %s"
RETURN = "orderly node modify --powered=yes --offline=no %s"
REINSTALL = PREFIX + "reinstall"


class Hold:
    """A job that holds the lock of a node until it is let go."""

    def __init__(self, bed, node):
        self.bed = bed
        self.job = bed.send({
            "OP_ID": "OP_TEST_DELAY", "duration": 300.0, "on_master": False,
            "on_nodes": [full(node)], "interruptible": True})
        self.path = wait_until(30, "a job holds " + node, self.listens)

    def listens(self):
        """The socket by which the job is let go; it is made once the lock is
        held."""
        row = self.bed.query("job", ["status", "oplog"],
                             ["=", "id", self.job])[0]
        found = [entry[3][0] for entry in row["oplog"][0]
                 if entry[2] == "delay-test"]
        return found and found[0]

    def let_go(self):
        self.bed.master("python3", "-c", "import socket, sys\n"
                        "s = socket.socket(socket.AF_UNIX)\n"
                        "s.connect(sys.argv[1])", self.path)


def planned(course):
    """(exit code, acts) of `orderly plan`."""
    daemon = course.daemon
    done = subprocess.run(
        [daemon.cli, "--socket", daemon.socket, "--output", "json", "plan"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=240,
        check=False)
    return done.returncode, json.loads(done.stdout)["acts"]


def acts(course, name):
    """Of the plan, about one object; something waits, so it exits with 10."""
    code, found = planned(course)
    mine = [x for x in found if x["object"] == full(name)]
    need(code == 10, "orderly plan ended with %d, although it lists %s"
         % (code, found))
    return mine


def explained(course, node):
    return course.daemon.ask("explain", full(node))["nodes"][0]


def listed(course, node):
    return next(row for row in course.daemon.ask("nodes")["nodes"]
                if row["name"] == full(node))


def merely_marked(course):
    """A living node is marked offline: nobody is led to wipe what is on it."""
    bed = course.bed
    bed.mark("node2", offline=True)
    course.follow(30, "ways out for inst2 are told", lambda _: ways(
        repairs.explained(course, "inst2")), 0.2)
    row = repairs.explained(course, "inst2")
    need(row["needed"] == "reinstall" and row["may_live"] == [full("node2")]
         and row["outlook"] == "not-permitted", "inst2, whose node is merely "
         "marked offline: %s" % row)
    advice = ways(row)
    need(advice and advice[0] == RETURN % full("node2") and REINSTALL not in
         " ".join(advice), "inst2, whose node lives: the ways out are %s, "
         "from: %s" % (advice, row["waits_for"]))
    course.mark("nobody is led to wipe inst2 while node2 lives")


def ways(row):
    """What a person is told to enter or to set, in this order."""
    text = row["waits_for"] + "; " + row["advice"]
    return re.findall(r"orderly [a-z]+(?: [-=a-z0-9.]+)*|add tag \S+", text)


def waiting_order(course):
    """It is accepted and its mark waits for a lock: everybody is told."""
    bed = course.bed
    course.follow(20, "the order is accepted",
                  lambda _: explained(course, "node3")["ordered"], 0.2)
    mark = wait_until(20, "its mark waits for the lock", lambda: [
        job for job in judge.with_opcode(bed.jobs(course.after), MARK,
                                         node_name=NODE3)
        if job["status"] == "waiting"])
    errand = epo.sheet(course, "power-off")
    for row in (explained(course, "node3"), listed(course, "node3")):
        told = row["ordered"]
        need(told["verb"] == "power-off" and told["errand"] == errand["id"]
             and told["who"] and told["why"] == WHY,
             "what is told of the order: %s" % told)
    found = acts(course, "node3")
    need([(x["what"], x["act"]) for x in found] == [("order", "power-off")]
         and found[0]["state"] in ("waits", "under-way"),
         "orderly plan about node3: %s" % found)
    course.mark("ordered node3 off, its mark waits")
    return errand["id"], mark[0]["id"]


def dies_meanwhile(course):
    """node2 is off by now: inst3 moves, though not onto node3, and inst1,
    which could go nowhere else, waits."""
    bed = course.bed
    bed.call("power", "off", "node2")
    power.orderly(course, "confirm-off", full("node2"), "--reason", "it is")
    course.follow(60, "inst3 runs elsewhere", lambda _: bed.instances()[
        "inst3"]["pnode"] != full("node2") and bed.instances()[
            "inst3"]["status"] == "running", 0.3)
    course.mark("inst3 runs elsewhere")
    need(bed.instances()["inst3"]["pnode"] == full("node1"),
         "inst3 was failed over onto %s" % bed.instances()["inst3"]["pnode"])
    row = repairs.explained(course, "inst2")
    need(row["may_live"] == [] and REINSTALL in " ".join(ways(row)),
         "inst2 is told not even with node2 proved off what its only way "
         "is: %s" % row)
    row = repairs.explained(course, "inst1")
    need(row["needed"] == "failover" and row["outlook"] == "waits"
         and row["may_live"] == [], "inst1 should only wait: %s" % row)
    need(not lost.failovers(bed, "inst1"), "a failover of inst1 was sent, "
         "onto a node that was ordered off")


def taken_back(course, errand, mark, hold):
    """The mark waits still, and is never carried out; then all goes on."""
    bed, daemon = course.bed, course.daemon
    daemon.ask("errand", errand, "--stop")
    course.mark("the order is stopped")
    # Ganeti looks for it between two attempts at a lock.
    course.follow(120, "the errand ends", lambda _: epo.sheet(
        course, "power-off")["ended"], 0.3)
    rows = epo.sheet(course, "power-off")["rows"]
    need([row["state"] for row in rows] == ["skipped"], "the errand's rows: "
         "%s" % rows)
    course.mark("its mark is taken back")
    hold.let_go()
    course.follow(60, "inst1 runs on node3", lambda _: bed.instances()[
        "inst1"]["pnode"] == NODE3, 0.3)
    course.mark("inst1 runs on node3")
    job = next(job for job in bed.jobs(course.after) if job["id"] == mark)
    need(job["status"] == "canceled", "the mark of node3: %s" % job)
    early = [x["id"] for x in lost.failovers(bed, "inst1")
             if x["received_ts"] < job["end_ts"]]
    need(not early, "inst1 was failed over while node3 was to go: %s" % early)
    for row in (explained(course, "node3"), listed(course, "node3")):
        need(row["ordered"] is None and not row["offline"],
             "node3 after the stop: %s" % row)
    power.stands(bed, "node3", "on", "Y", "N")


def undo_is_named(course):
    """Stopped when the mark was done: what undoes it is told, and does."""
    bed, daemon = course.bed, course.daemon
    bed.call("oob", "node6", "hang")
    asked = epo.Asked(course, "power", "off", full("node6"), "--yes",
                      "--oob-timeout", "4")
    course.follow(30, "node6 is marked, its controller is asked",
                  lambda _: power.calls(bed, "node6", "power-off"), 0.1)
    errand = epo.sheet(course, "power-off")
    daemon.ask("errand", errand["id"], "--stop")
    course.follow(30, "the errand ends", lambda _: epo.sheet(
        course, "power-off")["ended"], 0.3)
    asked.end()
    bed.call("oob", "node6", "ok")
    power.stands(bed, "node6", "on", "Y", "Y")
    remarks = epo.sheet(course, "power-off")["remarks"]
    undo = [x.partition(": ")[2].split() for x in remarks
            if x.endswith(BACK % full("node6"))]
    need(len(undo) == 1, "what undoes the mark is not told: %s" % remarks)
    power.orderly(course, *undo[0][1:])
    power.stands(bed, "node6", "on", "Y", "N")
    course.mark("node6 is back by the undo that was named")


def orders(course):
    """A node that was ordered off gets nothing, though the order waits. A stop
    takes back what waits and names the undo of what is done."""
    bed, daemon = course.bed, course.daemon
    for name in ("inst1", "inst2", "inst3"):
        bed.add_tag("instance", full(name), PREFIX + "failover")
    power.begin(course)
    merely_marked(course)
    hold = Hold(bed, "node3")
    asked = epo.Asked(course, "power", "off", NODE3, "--yes", "--reason", WHY)
    errand, mark = waiting_order(course)
    dies_meanwhile(course)
    taken_back(course, errand, mark, hold)
    asked.end()
    undo_is_named(course)
    need(not power.calls(bed, "node3", "power-off", "power-cycle"),
         "node3 was switched off, though the order was stopped")
    repairs.wait_final(course, 90, "inst1", "inst3")
    course.wait_quiet()
    jobs = judge.our_jobs(bed, course.after)
    judge.each_intent_once(jobs)
    judge.all_went_well([job for job in jobs if job["id"] != mark])
    need(not judge.with_opcode(jobs, FAILOVER, target_node=NODE3),
         "a failover names node3")
    daemon.stop()


def look(course, name):
    """What is said of node2 and of what ran there, nothing older than the
    next look; the plan is from between two equal looks at the node."""
    before = explained(course, "node2")
    inst = repairs.explained(course, name)
    code, found = planned(course)
    after = explained(course, "node2")
    same = all(before[key] == after[key]
               for key in ("phase", "wants", "power", "offline"))
    return same and (after, inst["outlook"], code,
                     [x for x in found if x["object"] == full("node2")])


def dying(course):
    """From the loss of power until it is fenced, and a while longer: what was
    on a node that reads off is not well, and a fence that waits is a fence."""
    seen = {"probably-down": 0, "waits": 0, "under-way": 0, "fenced": 0}

    def probe(_):
        got = look(course, "inst3")
        if not got:
            return False
        row, outlook, code, found = got
        if row["power"] == "off":
            need(outlook == "probably-down", "node2 reads off (%s), inst3 is "
                 "said to be %s" % (row["power_text"], outlook))
            seen["probably-down"] += 1
        seen["fenced"] += row["phase"] == "fenced"
        state = ("waits" if row["wants"] == "fence" else
                 "under-way" if row["phase"] == "fencing" else "")
        if state:
            need(code == 10 and [(x["what"], x["state"]) for x in found]
                 == [("fence", state)], "the fence of node2 is %s; orderly "
                 "plan ends with %d and says: %s" % (state, code, found))
            seen[state] += 1
        return seen["fenced"] > 3
    course.follow(60, "node2 is fenced", probe)
    need(seen["probably-down"] and seen["waits"], "looked too seldom: %s"
         % seen)
    course.mark("what was said, and how often: %s" % seen)


def wish(course, node):
    """What a person wants of its power, as `orderly node info` has it."""
    out, _ = power.orderly(course, "node", "info", full(node), "--output",
                           "json")
    return json.loads(out)["rows"][0]["wish"]["wanted"]


def off_and_on(course):
    """Whoever wanted it off wants that no more after a confirmed power-on."""
    bed = course.bed
    power.orderly(course, "power", "off", full("node6"), "--yes", "--reason",
                  WHY)
    # At its start orderlyd reads the power at once, else once a minute.
    course.daemon.stop()
    course.daemon.start()
    wait_until(20, "orderlyd is ready again", course.daemon.ready,
               story=course.daemon.last_words)
    course.follow(30, "node6 is said to be wanted off", lambda _:
                  "wants it off" in explained(course, "node6")["why"], 0.2)
    need(wish(course, "node6") == "off", "node6 is wanted %s"
         % wish(course, "node6"))
    power.orderly(course, "power", "on", full("node6"))
    power.stands(bed, "node6", "on", "Y", "Y")
    polls = time.monotonic() + 5  # more than two readings of the cluster

    def over(_):
        row = explained(course, "node6")
        need("wants it off" not in json.dumps(row) and row["ordered"] is None
             and wish(course, "node6") != "off",
             "node6 was switched on, and it is said: %s" % row)
        return time.monotonic() > polls
    course.follow(30, "5 s are over", over, 0.2)
    course.mark("node6 is not wanted off any more")


def words(course):
    """What is said of a node that dies, and of one that was switched off and
    on, is so at that moment."""
    power.begin(course)
    off_and_on(course)
    course.bed.call("power", "off", "node2")
    course.mark("node2 loses power")
    dying(course)
    course.daemon.stop()
