# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""The repairs that are tried on the real cluster, one function a step."""
import threading
import time

import judge
from bed import PREFIX, SLOWEST, Failed, full, wait_until
from judge import need

FAILOVER = PREFIX + "failover"
NODE2 = "node:" + full("node2")
MOVED_WITHIN = 90 * SLOWEST  # seconds from the power loss


class Watch(threading.Thread):
    """Looks where the instances run. Beside the rest: while a node is dead,
    an answer takes seconds."""

    def __init__(self, bed, names, seen):
        super().__init__(daemon=True)
        self.bed, self.left, self.seen = bed, set(names), seen
        self.over = threading.Event()

    def run(self):
        while self.left and not self.over.wait(0.5):
            try:
                rows = self.bed.instances()
            except (OSError, Failed):
                continue  # luxid is dead or not yet alive
            for name in sorted(self.left):
                row = rows[name]
                if (row["status"] == "running"
                        and row["pnode"] != full("node2")):
                    self.seen("%s runs elsewhere" % name)
                    self.left.discard(name)


class Course:
    """One loss of node2 and what follows, with its times."""

    def __init__(self, bed, daemon, say):
        self.bed, self.daemon, self.say = bed, daemon, say
        self.after = 0
        self.began = 0.0
        self.marks = []
        self.agents = None  # of the nodes, in some steps
        self.watch = Watch(bed, ["inst1", "inst3"], self.mark)

    def begin(self, tags):
        for kind, name, tag in tags:
            self.bed.add_tag(kind, name, tag)
        self.after = self.bed.last_job()
        self.come_up()
        self.lose_power()

    def come_up(self):
        """orderlyd is started, and finds all nodes well."""
        self.daemon.start()
        wait_until(20, "orderlyd is ready", self.daemon.ready,
                   story=self.daemon.last_words)
        wait_until(20, "orderlyd says that all nodes are available",
                   self.all_available, story=self.daemon.last_words)
        self.daemon.news()

    def all_available(self):
        rows = self.daemon.ask("nodes")["nodes"]
        return len(rows) == 6 and all(
            row["phase"] == ("available" if row["name"] != full("node1")
                             else "ineligible") for row in rows)

    def lose_power(self):
        self.bed.call("power", "off", "node2")
        self.began = time.monotonic()
        self.watch.start()

    def end(self):
        """Nothing looks at the testbed any more."""
        self.watch.over.set()
        if self.watch.is_alive():
            self.watch.join(30)

    def mark(self, text, at=None):
        """Notes the first time that something was seen."""
        if text not in [t for t, _ in self.marks]:
            self.marks.append((text, (at or time.monotonic()) - self.began))

    def follow(self, seconds, what, done, pause=0.1):
        """Reads decisions until `done(new ones)` gives something true."""
        def probe():
            fresh = self.daemon.news()
            for entry in fresh:
                self.note(entry)
            return done(fresh)
        return wait_until(seconds, what, probe, pause, self.where)

    def note(self, entry):
        code = entry["code"]
        stages = {"job": ("wanted", 0), "job-submitted": ("in the queue", 1),
                  "job-ended": ("ended", 1)}
        if entry["object"] == NODE2 and code in (
                "suspect", "recovering", "fencing", "fenced"):
            self.mark("node2 " + code, entry["seen"])
        elif code in stages:
            stage, part = stages[code]
            what = (entry["why"].split(": ") + [""])[part].split("; ")[0]
            if not what.startswith(("tag ", "remove ")):
                self.mark("%s %s" % (what, stage), entry["seen"])

    def time_of(self, text):
        return next((at for t, at in self.marks if t == text), None)

    def moved(self, names=("inst1", "inst3")):
        return all(self.time_of("%s runs elsewhere" % n) for n in names)

    def settled(self, names=("inst1", "inst2", "inst3")):
        """All tags are final and nothing is in flight."""
        try:
            return (all(judge.is_final(self.bed.tags(name)) for name in names)
                    and all(job["end_ts"] for job in self.bed.jobs(self.after)))
        except OSError:
            return False

    def wait_quiet(self):
        """What a job did is seen before Ganeti has written that it ended."""
        self.follow(60, "no job is in flight", lambda _: all(
            job["end_ts"] for job in self.bed.jobs(self.after)
            if not judge.only_asks(job)), 0.5)

    def wait_repaired(self, limit, moved_within=MOVED_WITHIN):
        self.follow(limit, "inst1 and inst3 run elsewhere",
                    lambda _: self.moved())
        for name in ("inst1", "inst3"):
            took = self.time_of("%s runs elsewhere" % name)
            need(moved_within is None or took <= moved_within,
                 "%s ran elsewhere only after %.1f s, should be within %s s"
                 % (name, took, moved_within))
        self.follow(90, "the repairs end and their tags become results",
                    lambda _: self.settled(), 0.5)
        self.mark("all tags final")

    def where(self):
        """For a failure: how far it came."""
        return "the last that orderly said: " + "; ".join(
            "%s %s" % (e["object"], e["why"]) for e in self.daemon.story[-3:])

    def report(self):
        for text, at in self.marks:
            self.say("  %6.1f s  %s" % (at, text))

    def incident(self):
        return next((e["incident"] for e in self.daemon.story
                     if e["object"] == NODE2 and e["incident"]), "")


def repair(course):
    """node2 loses power: its instances move, as far as tags allow it."""
    course.begin([("cluster", "", FAILOVER)])
    course.wait_repaired(120)
    jobs = judge.our_jobs(course.bed, course.after)
    judge.repaired(course.bed, jobs, course.incident())
    course.say("  %d jobs, each with an intent of its own" % len(jobs))
    course.daemon.stop()


def is_job(entry, code, owner, words):
    return (entry["code"] == code and entry["object"] == owner
            and words in entry["why"])


INST1 = "instance:" + full("inst1")
# What has been reached, how to see it, and seconds until the kill: enough for
# a submission to reach luxid, too few for its answer.
KILL_POINTS = [
    ("node2 is suspected",
     lambda e: e["object"] == NODE2 and e["code"] == "suspect", 0),
    ("node2 is fenced, its mark is being submitted",
     lambda e: is_job(e, "job", NODE2, "offline"), 0.5),
    ("the job that marks node2 offline is in the queue",
     lambda e: is_job(e, "job-submitted", NODE2, "offline"), 0),
    ("the failover of inst1 is being submitted",
     lambda e: is_job(e, "job", INST1, "failover of"), 0.2),
    ("the failover of inst1 has ended",
     lambda e: is_job(e, "job-ended", INST1, "failover of"), 0),
    ("the new secondary of inst1 is in the queue",
     lambda e: is_job(e, "job-submitted", INST1, "new secondary"), 0),
]


def crashes(course):
    """orderlyd is killed six times during the repair: nothing twice."""
    course.begin([("cluster", "", FAILOVER)])
    for what, reached, pause in KILL_POINTS:
        course.follow(90, "kill point '%s'" % what,
                      lambda fresh, r=reached: any(map(r, fresh)), 0.02)
        time.sleep(pause)
        course.daemon.crash()
        course.mark("killed: " + what)
        course.daemon.start()
    course.wait_repaired(150, moved_within=None)
    jobs = judge.our_jobs(course.bed, course.after)
    judge.repaired(course.bed, jobs, course.incident())
    course.say("  %d jobs, each with an intent of its own" % len(jobs))
    course.daemon.stop()


def hung_controller(course):
    """No proof that node2 is off: no failover, one alert; then it works."""
    course.bed.call("oob", "node2", "hang")
    course.begin([("cluster", "", FAILOVER)])

    def stuck(_):
        return any(e["code"] == "X.FENCE_STUCK" for e in course.daemon.story)
    course.follow(90, "an alert that the fence of node2 is stuck", stuck)
    course.mark("alert X.FENCE_STUCK")
    calm = max(65, course.time_of("alert X.FENCE_STUCK") + 10)
    course.follow(90, "%d s are over" % calm,
                  lambda _: time.monotonic() - course.began > calm, 0.5)
    need(not judge.with_opcode(judge.our_jobs(course.bed, course.after),
                               "OP_INSTANCE_FAILOVER"),
         "a failover was sent without proof that node2 is off")
    need(not course.bed.node("node2")["offline"],
         "node2 was marked offline without proof that it is off")
    alerts = [e for e in course.daemon.story
              if e["kind"] == "alert" and e["object"] == NODE2
              and e["code"] != "A.RECOVERING"]
    need(len(alerts) == 1 and alerts[0]["code"] == "X.FENCE_STUCK",
         "there should be one alert, X.FENCE_STUCK, there are: %s"
         % [(e["code"], e["why"]) for e in alerts])
    row = course.daemon.ask("explain", full("node2"))["nodes"][0]
    course.say("  explain node2: %s; waits for: %s"
               % (row["why"], row["waits_for"]))
    need(row["phase"] == "fencing" and "power" in row["waits_for"],
         "explain node2 should say that a power status is missing, it says: "
         "%s / %s" % (row["why"], row["waits_for"]))
    need(row["proved_down"] is None, "node2 counts as proved down: %s"
         % row["proved_down"])
    course.bed.call("oob", "node2", "ok")
    healed = time.monotonic() - course.began
    course.mark("its controller answers again")
    course.wait_repaired(130, moved_within=None)
    took = max(course.time_of("%s runs elsewhere" % n)
               for n in ("inst1", "inst3")) - healed
    need(took <= 120, "the instances moved only %.1f s after the controller "
         "was well again, should be 120 s" % took)
    judge.repaired(course.bed, judge.our_jobs(course.bed, course.after),
                   course.incident())
    course.daemon.stop()


def no_permission(course):
    """Only inst1 may be failed over: inst3 stays, and says why."""
    course.begin([("instance", full("inst1"), FAILOVER)])
    course.follow(120, "inst1 runs elsewhere",
                  lambda _: course.moved(["inst1"]))

    course.follow(90, "the repair of inst1 ends",
                  lambda _: course.settled(["inst1"]), 0.5)
    rows = course.bed.instances()
    jobs = judge.our_jobs(course.bed, course.after)
    judge.each_intent_once(jobs)
    judge.only_these(jobs, ["inst1"])
    for name in ("inst2", "inst3"):
        need(rows[name]["pnode"] == full("node2"),
             "%s has no permission, but was moved to %s"
             % (name, rows[name]["pnode"]))
        need(not judge.repair_tags(rows[name]), "%s has tags: %s"
             % (name, judge.repair_tags(rows[name])))
    row = course.daemon.ask("explain", full("inst3"))["instances"][0]
    text = " / ".join([row["why"], row["waits_for"], row["permission"]])
    course.say("  explain inst3: " + text)
    need(FAILOVER in text, "explain inst3 should name the missing tag %s, it "
         "says: %s" % (FAILOVER, text))
    course.daemon.stop()


def luxid_dies(course):
    """luxid is killed during the repair and comes back: nothing twice."""
    course.begin([("cluster", "", FAILOVER)])
    course.follow(90, "a failover is in the queue",
                  lambda fresh: any(e["code"] == "job-submitted"
                                    and "failover of" in e["why"]
                                    for e in fresh), 0.02)
    course.bed.call("kill", "node1", "ganeti-luxid")
    course.mark("luxid killed")
    time.sleep(5)
    try:
        course.bed.luxi("QueryClusterInfo", [])
        raise Failed("luxid should be gone, but answers")
    except OSError:
        pass
    course.bed.call("start", "node1", "ganeti-luxid")
    course.mark("luxid started")
    course.wait_repaired(120, moved_within=None)
    judge.repaired(course.bed, judge.our_jobs(course.bed, course.after),
                   course.incident())
    course.daemon.stop()
