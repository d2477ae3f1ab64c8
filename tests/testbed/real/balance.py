# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Balancing on the real cluster: from a plan that is only shown to jobs after
which Debian's hbal finds nothing to do."""
import json
import signal
import subprocess
import time

import htools
import judge
from bed import full, wait_until
from judge import need

# As hbal's own: a step must gain 0.01, and each move counts the same.
RULES = """
[balance]
enabled = %s
interval = "%s"
threshold = 0.01
move_cost = 0.0
dynamic_load = %s
"""
UNEVEN = [("inst%d" % number, disks) for number, disks in
          ((41, "drbd"), (42, "sharedfile"), (43, "drbd"), (44, "sharedfile"),
           (45, "drbd"))]
EVEN_WITHIN = 240


def balance(course):
    """Five instances too many on one node are spread by real jobs; before and
    after, `orderly balance --dry-run` and `orderly plan` say so."""
    bed, daemon = course.bed, course.daemon
    htools.fixed_rooms(bed, slope=0)
    make_uneven(bed)
    course.began = time.monotonic()
    usual = bed.faults()
    course.after = bed.last_job()
    with_load(course)
    switch(course, "false", "1h")
    off(course)
    switch(course, "true", "1h")
    wants_moves(course)
    switch(course, "true", "3s")
    becomes_even(course)
    switch(course, "true", "1h")
    wants_nothing(course)
    for group in ("default", "rack2"):
        hbal_agrees(course, group)
    check_jobs(course)
    faults = bed.faults()
    need(faults <= usual, "gnt-cluster verify finds what was not there "
         "before: %s" % sorted(faults - usual))
    course.mark("SIGTERM: gone after %.2f s" % daemon.stop())


def hbal_runs(course):
    """The same by our `hbal -L -X`, without orderlyd: it sends the jobs itself
    and waits for them. Its moves are Debian's, so that nothing is left."""
    bed = course.bed
    htools.fixed_rooms(bed, slope=0)
    make_uneven(bed)
    course.began = time.monotonic()
    course.after = bed.last_job()
    done = subprocess.run(
        [course.htools, "hbal", "--search=exact", "--luxi=" + bed.socket, "-G",
         "default", "-X"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.STDOUT, timeout=600, check=False)
    need(done.returncode == 0, "hbal -X ends with %d: %s"
         % (done.returncode, done.stdout[-2000:]))
    jobs = bed.jobs(course.after)
    need(jobs, "hbal -X sent no job: " + done.stdout[-2000:])
    judge.all_went_well([dict(job, name="job %d" % job["id"])
                         for job in jobs])
    course.mark("hbal -X ran %d jobs, all went well" % len(jobs))
    hbal_agrees(course, "default")


def make_uneven(bed):
    """All on node2, with their mirrors on node3."""
    for name, disks in UNEVEN:
        mirror = ":node3" if disks == "drbd" else ""
        bed.master("gnt-instance", "add", "-t", disks, "-n", "node2" + mirror,
                   *htools.NEW_DISK, *htools.NEW, full(name))


def switch(course, enabled, interval, load="false"):
    """Other rules for the daemon that runs, by a signal."""
    daemon = course.daemon
    with open(daemon.config, encoding="ascii") as file:
        before = file.read().split("\n[balance]")[0].rstrip("\n")
    with open(daemon.config, "w", encoding="ascii") as file:
        file.write(before + "\n" + RULES % (enabled, interval, load))
    if daemon.pid:
        told = daemon.notices.seen.count("READY=1")
        daemon.signal(signal.SIGHUP)
        wait_until(10, "the settings are reloaded",
                   lambda: daemon.notices.seen.count("READY=1") > told)


def say(course, *words, code=0):
    """What the command line says, as an object; it must end with `code`."""
    done = subprocess.run(
        [course.daemon.cli, "--socket", course.daemon.socket, "--output",
         "json", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, timeout=300, check=False)
    need(done.returncode == code, "orderly %s should end with %d, ends with "
         "%d: %s%s" % (" ".join(words), code, done.returncode, done.stderr,
                       done.stdout[-2000:]))
    return json.loads(done.stdout), done.stderr


def sheet(course):
    return json.loads(course.daemon.get("/2/balance")[1])


def with_load(course):
    """Where monitors run, their load is in the model; without one it is not,
    and that is said."""
    switch(course, "false", "1h", load="true")
    course.daemon.start()
    wait_until(20, "orderlyd is ready", course.daemon.ready,
               story=course.daemon.last_words)
    wait_until(20, "orderlyd says that all nodes are available",
               course.all_available, story=course.daemon.last_words)

    def loaded():
        plan, _ = say(course, "balance", "--dry-run")
        return not any("no load data" in text for text in plan["remarks"])
    wait_until(60, "the monitors tell of CPU load", loaded, pause=2,
               story=lambda: "%s" % sheet(course)["remarks"])
    course.bed.call("kill", "node3", "ganeti-mond")
    plan, _ = say(course, "balance", "--dry-run")
    need(any("the monitor of " + full("node3") in text
             for text in plan["remarks"]), "that node3 has no monitor should "
         "be remarked, remarks are %s" % plan["remarks"])
    course.bed.call("start", "node3", "ganeti-mond")
    course.mark("CPU load is read from the monitors")


def off(course):
    """With balancing off the plan is shown, but does not count."""
    plan, _ = say(course, "balance", "--dry-run", "--explain", "inst41")
    need(plan["planned"]["moves"], "a dry run should find moves: %s" % plan)
    need(plan["planned"]["explained"].get(full("inst41")),
         "inst41 should be explained: %s" % plan["planned"]["explained"])
    _, said = say(course, "plan")
    need("balancing is off" in said, "that balancing is off should be said: "
         + said)


def wants_moves(course):
    plan, _ = say(course, "balance", "--dry-run")
    moves = plan["planned"]["moves"]
    need(moves and all(move["why"] for move in moves),
         "each move should have a reason: %s" % moves)
    need(sum(move["gain"] for move in moves) > 0,
         "the moves should gain something: %s" % moves)
    acts, _ = say(course, "plan", code=10)
    due = [act for act in acts["acts"]
           if act["what"] == "balance" and act["state"] == "due"]
    first = [move["instance"] for move in moves if move["level"] == 0]
    need(sorted(act["object"] for act in due) == sorted(first),
         "due should be %s, is %s" % (first, due))
    groups = plan["planned"]["groups"]
    course.mark("a plan of %d moves, %d of them at once; scores %s"
                % (len(moves), len(first), ", ".join(
                    "%s %.4f -> %.4f" % (group["group"], group["before"],
                                         group["after"]) for group in groups)))
    need(not judge.our_jobs(course.bed, course.after),
         "a plan that is only shown has sent jobs")


def becomes_even(course):
    def done():
        now = sheet(course)
        idle = now["phase"] == "resting" and not now["open"]
        plan = now["planned"] or {}
        even = plan.get("planned") and not plan["moves"]
        return now if idle and now["round"] > 0 and even else None
    last = wait_until(EVEN_WITHIN, "the cluster is even", done, pause=1,
                      story=lambda: json.dumps(sheet(course))[:2000])
    course.bed.wait_idle(60)
    course.mark("even after %d rounds" % last["round"])


def wants_nothing(course):
    plan, said = say(course, "balance", "--dry-run")
    need(plan["planned"]["moves"] == [], "nothing should be left to move: %s"
         % plan["planned"]["moves"])
    acts, _ = say(course, "plan")
    need(acts["acts"] == [] and acts["something"] is False,
         "nothing should be planned: %s" % acts["acts"])
    metrics = course.daemon.get("/metrics")[1]
    for name in ("orderly_balance_phase", "orderly_balance_score{",
                 'orderly_balance_moves_total{result="success"}'):
        need(name in metrics, "there is no metric " + name)


def hbal_agrees(course, group):
    """Debian's hbal and ours, over LUXI, see nothing more to move."""
    tools = [("Debian's hbal", ["hbal"])]
    if course.htools:
        tools.append(("our hbal", [course.htools, "hbal", "--search=exact"]))
    for name, tool in tools:
        said, code = htools.run([*tool, "--luxi=" + course.bed.socket, "-G",
                                 group])
        need(code == 0 and ("Nothing to do" in said
                            or "No solution found" in said),
             "%s still finds moves in %s: %s" % (name, group, said))
    course.mark("hbal finds nothing to do in " + group)


def check_jobs(course):
    course.wait_quiet()
    jobs = judge.our_jobs(course.bed, course.after)
    need(jobs, "orderlyd sent no job")
    judge.all_went_well(jobs)
    judge.each_intent_once(jobs)
    good = ("OP_INSTANCE_MIGRATE", "OP_INSTANCE_FAILOVER",
            "OP_INSTANCE_REPLACE_DISKS")
    for job in jobs:
        need(all(op["OP_ID"] in good for op in job["ops"]),
             "%s does not move an instance" % job["name"])
    metrics = course.daemon.get("/metrics")[1]
    need('orderly_balance_moves_total{result="success"} %d\n' % len(jobs)
         in metrics, "%d moves should be counted: %s" % (len(jobs), [
             line for line in metrics.splitlines() if "balance_moves" in line]))
    course.mark("%d jobs, all went well, each sent once" % len(jobs))
