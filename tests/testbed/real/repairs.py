# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Repairs of every type on the real cluster, by its real tags."""
import time

import judge
import mirrors
from bed import PREFIX, full, wait_until
from judge import need

MIGRATE = "OP_INSTANCE_MIGRATE"
FAILOVER = "OP_INSTANCE_FAILOVER"
REPLACE = "OP_INSTANCE_REPLACE_DISKS"
REBUILD = ["OP_INSTANCE_SHUTDOWN", "OP_INSTANCE_RECREATE_DISKS",
           "OP_INSTANCE_REINSTALL", "OP_INSTANCE_STARTUP"]


def start(course, **more):
    """orderlyd, with such settings of auto-repair, on the cluster as it is."""
    daemon = course.daemon
    daemon.configure(**more)
    course.after = course.bed.last_job()
    course.began = time.monotonic()
    daemon.start()
    wait_until(20, "orderlyd is ready", daemon.ready, story=daemon.last_words)


def tags(bed, instance):
    """Of repairs, not the policy."""
    return [tag for tag in bed.tags(instance)
            if tag.startswith((PREFIX + "pending:", PREFIX + "result:"))]


def wait_final(course, limit, *names):
    left = set(names)

    def look(_):
        for name in sorted(left):
            if judge.is_final(course.bed.tags(name)):
                course.mark("%s has its result" % name)
                left.discard(name)
        return not left
    course.follow(limit, "repairs of %s become results" % ", ".join(names),
                  look, 0.5)


def explained(course, instance):
    return course.daemon.ask("explain", full(instance))["instances"][0]


def every_repair(course):
    """Off a drained node, off a dead one, a lost and a faulty mirror, new
    disks; all at once, and nothing is wiped that is only drained."""
    bed = course.bed
    usual = bed.faults()
    bed.add_tag("cluster", "", PREFIX + "reinstall")
    mirrors.lose_disk(bed, "inst5", "node1")
    need(not mirrors.is_whole(mirrors.details(bed, "inst5")),
         "Ganeti does not see that the mirror of inst5 has lost its disk")
    bed.mark("node2", drained=True)
    bed.lose("node4")
    start(course, mirror_interval="5s", retry_base="5s")
    wait_final(course, 170, "inst1", "inst3", "inst5", "inst7", "inst9",
               "inst10", "inst11", "inst12")
    course.wait_quiet()
    jobs = judge.our_jobs(bed, course.after)
    judge.each_intent_once(jobs)
    judge.all_went_well(jobs)
    drained_node_was_left(course, jobs)
    dead_node_was_left(course, jobs)
    judge.ended_well(bed, jobs, "inst5", [REPLACE], "fix-storage")
    judge.lives_on(bed, "inst5", "node3", "node1")
    need(mirrors.is_whole(mirrors.details(bed, "inst5")),
         "the mirror of inst5 is still faulty: %s"
         % mirrors.details(bed, "inst5"))
    new = bed.faults() - usual
    need(not new, "gnt-cluster verify has new complaints: %s" % sorted(new))
    course.say("  %d jobs; gnt-cluster verify finds nothing new" % len(jobs))
    course.daemon.stop()


def drained_node_was_left(course, jobs):
    bed = course.bed
    judge.ended_well(bed, jobs, "inst1", [MIGRATE, REPLACE], "migrate")
    judge.lives_on(bed, "inst1", "node3", "node1")
    judge.ended_well(bed, jobs, "inst3", [MIGRATE], "migrate")
    need(bed.instances()["inst3"]["pnode"] != full("node2"),
         "inst3 is still on the drained node2")
    # Its only copy is on the drained node: that is no reason to wipe it.
    judge.left_alone(jobs, "inst2")
    judge.lives_on(bed, "inst2", "node2")
    need(not tags(bed, "inst2"), "inst2 has tags: %s" % tags(bed, "inst2"))
    text = explained(course, "inst2")["why"]
    need("only copy" in text, "explain inst2 should say that the only copy "
         "of its data is on node2, it says: " + text)


def dead_node_was_left(course, jobs):
    bed = course.bed
    for name, to, mirror in (("inst7", "node5", "node6"),
                             ("inst12", "node6", "node5")):
        judge.ended_well(bed, jobs, name, [FAILOVER, REPLACE])
        judge.lives_on(bed, name, to, mirror)
    first, second = (judge.with_opcode(jobs, FAILOVER,
                                       instance_name=full(name))[0]
                     for name in ("inst11", "inst12"))
    course.say("  failovers of inst11 and inst12 ran together for %.1f s"
               % judge.together(first, second))
    judge.ended_well(bed, jobs, "inst11", [FAILOVER])
    judge.ended_well(bed, jobs, "inst9", [REPLACE], "fix-storage")
    judge.lives_on(bed, "inst9", "node5", "node6")
    judge.ended_well(bed, jobs, "inst10", REBUILD, "reinstall")
    job = judge.with_opcode(jobs, REBUILD[1], instance_name=full("inst10"))[0]
    codes = [op["OP_ID"] for op in job["ops"]
             if not op["OP_ID"].startswith("OP_TAGS")]
    need(codes == REBUILD, "%s should hold %s" % (job["name"], REBUILD))
    op = next(op for op in job["ops"] if op["OP_ID"] == REBUILD[1])
    need(op["nodes"] and not op.get("iallocator"), "%s should name the new "
         "node, it has %s" % (job["name"], op))
    judge.lives_on(bed, "inst10", op["nodes"][0].split(".")[0])
    for name in ("inst10", "inst11"):
        need(bed.instances()[name]["pnode"] != full("node4"),
             "%s is still on the dead node4" % name)


def suspended(course):
    """Suspended on instance, group and cluster until a time each: nothing
    happens before, and all after."""
    bed = course.bed
    bed.mark("node2", drained=True)
    bed.mark("node5", drained=True)
    places = {"inst1": ("instance", full("inst1")),
              "inst8": ("group", "rack2"), "inst3": ("cluster", "")}
    began = time.time()
    for place in places.values():
        bed.add_tag(*place, PREFIX + "migrate")
    # Long enough for three tags more and the daemon's start, however slow.
    pace = max(1, int(time.time() - began))
    began = int(time.time()) + 4 * pace
    until = {"inst1": began + 20, "inst8": began + 20 + 6 * pace,
             "inst3": began + 20 + 12 * pace}
    for name, place in places.items():
        bed.add_tag(*place, PREFIX + "suspend:%d" % until[name])
    start(course)
    for name, place in places.items():
        text = PREFIX + "suspend:%d" % until[name]
        course.follow(60, "%s is said to be suspended" % name, lambda _, n=name:
                      explained(course, n)["allowed"] == "suspended", 0.5)
        course.follow(60, "it is 2 s before the suspension of %s ends" % name,
                      lambda _, n=name: time.time() > until[n] - 2, 0.2)
        need(text in bed.tags_of(*place), "the tag %s of %s was removed "
             "before its time" % (text, place))
        need(not tags(bed, name), "%s was touched while suspended: %s"
             % (name, tags(bed, name)))
    wait_final(course, 60, *places)
    course.wait_quiet()
    jobs = judge.our_jobs(bed, course.after)
    judge.each_intent_once(jobs)
    judge.all_went_well(jobs)
    for name, place in places.items():
        ended_in_time(course, jobs, name, place, until[name])
    judge.ended_well(bed, jobs, "inst1", [MIGRATE, REPLACE], "migrate")
    for name in ("inst3", "inst8"):
        judge.ended_well(bed, jobs, name, [MIGRATE], "migrate")
    judge.left_alone(jobs, "inst2")
    course.daemon.stop()


def ended_in_time(course, jobs, name, place, until):
    """The tag is gone, and neither it nor the instance was touched before."""
    text = PREFIX + "suspend:%d" % until
    need(text not in course.bed.tags_of(*place),
         "the tag %s of %s is over, but still there" % (text, place))
    removed = [job for job in jobs for op in job["ops"]
               if op["OP_ID"] == "OP_TAGS_DEL" and text in op["tags"]]
    need(len(removed) == 1, "%d jobs remove %s: %s"
         % (len(removed), text, [job["name"] for job in removed]))
    about = [job for job in jobs for op in job["ops"]
             if full(name) in (op.get("instance_name"), op.get("name"))]
    for job in removed + about:
        early = until - judge.seconds(job["received_ts"])
        need(early <= 0, "%s was sent %.1f s before the suspension was over"
             % (job["name"], early))
    course.say("  %s: the suspension went after %.1f s, first step after "
               "%.1f s" % (name, judge.seconds(removed[0]["received_ts"])
                           - until, min(judge.seconds(job["received_ts"])
                                        for job in about) - until))


def asked_for(course):
    """Without any permission: a pending tag by hand, and `orderly repair`;
    then a permission that is raised, and a repair that waits for room."""
    bed = course.bed
    bed.mark("node2", drained=True)
    bed.mark("node5", drained=True)
    bed.mark("node6", drained=True)
    for name in ("inst8", "inst12"):
        bed.add_tag("instance", full(name), PREFIX + "fix-storage")
    start(course)
    by_hand = "by-hand-%d" % time.time()
    pending = "pending:migrate:%s:%d:" % (by_hand, time.time())
    bed.add_tag("instance", full("inst1"), PREFIX + pending)
    ordered = course.daemon.ask("repair", full("inst3"), "--type", "migrate")
    raised_later(course)
    no_room_at_first(course)
    wait_final(course, 90, "inst1", "inst3")
    course.wait_quiet()
    jobs = judge.our_jobs(bed, course.after)
    judge.each_intent_once(jobs)
    judge.all_went_well(jobs)
    judge.only_these(jobs, ["inst1", "inst3", "inst8", "inst12"])
    judge.ended_well(bed, jobs, "inst1", [MIGRATE, REPLACE], "migrate",
                     given=by_hand)
    judge.lives_on(bed, "inst1", "node3", "node1")
    judge.ended_well(bed, jobs, "inst3", [MIGRATE], "migrate",
                     given=ordered["repair"])
    judge.ended_well(bed, jobs, "inst8", [MIGRATE], "migrate")
    judge.lives_on(bed, "inst8", "node4")
    judge.ended_well(bed, jobs, "inst12", [REPLACE], "fix-storage")
    judge.lives_on(bed, "inst12", "node4", "node5")
    course.daemon.stop()


def raised_later(course):
    """inst8 may only have its storage fixed, and needs a migration."""
    bed = course.bed
    course.follow(60, "inst8 has its tag enoperm",
                  lambda _: tags(bed, "inst8"), 0.5)
    told = tags(bed, "inst8")
    part = told[0][len(PREFIX):].split(":")
    need(len(told) == 1 and part[:2] == ["result", "migrate"]
         and part[4:] == ["enoperm", ""], "inst8 should have one tag "
         "result:migrate:...:enoperm:, it has %s" % told)
    course.mark("inst8 may not be migrated")
    course.wait_quiet()
    judge.left_alone(judge.our_jobs(bed, course.after), "inst8")
    bed.add_tag("instance", full("inst8"), PREFIX + "migrate")
    bed.remove_tag("instance", full("inst8"), PREFIX + "fix-storage")
    course.mark("the permission was raised")
    course.follow(60, "inst8 is repaired", lambda _: any(
        ":success:" in tag for tag in tags(bed, "inst8")), 0.5)
    course.mark("inst8 has its result")
    need(told[0] not in bed.tags("inst8"), "inst8 is repaired, but %s is "
         "still there" % told[0])


def no_room_at_first(course):
    """The mirror of inst12 has nowhere to go until node5 returns."""
    bed = course.bed
    course.follow(30, "inst12 has its pending tag",
                  lambda _: tags(bed, "inst12"), 0.5)
    told = tags(bed, "inst12")
    part = told[0][len(PREFIX):].split(":")
    need(len(told) == 1 and part[:2] == ["pending", "fix-storage"]
         and part[4:] == [""], "inst12 should have one tag pending without "
         "jobs, it has %s" % told)
    row = explained(course, "inst12")
    text = row["why"] + " / " + row["waits_for"]
    course.say("  explain inst12: " + text)
    need("no room" in text, "explain inst12 should say that there is no "
         "room, it says: " + text)
    judge.left_alone(judge.our_jobs(bed, course.after), "inst12")
    bed.mark("node5", drained=False)
    course.mark("node5 is back in service")
    course.follow(60, "inst12 is repaired", lambda _: judge.is_final(
        bed.tags("inst12")), 0.5)
    course.mark("inst12 has its result")
    done = tags(bed, "inst12")[0][len(PREFIX):].split(":")
    need(done[2] == part[2], "inst12: repair %s became %s"
         % (part[2], done[2]))
