# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Failovers of which orderlyd does not learn that they were sent."""
import glob
import os
import time

import judge
import repairs
from bed import PREFIX, full, wait_until
from judge import need
from relay import Relay

FAILOVER = "OP_INSTANCE_FAILOVER"
# Longer than orderlyd waits before it looks for the job (job_match_grace), so
# that its first search waits at luxid beside the submission itself.
STALL = 17


def failovers(bed, name):
    """All jobs, archived ones too, that fail the instance over."""
    return judge.with_opcode(bed.jobs(), FAILOVER, instance_name=full(name))


def the_failover(course, name):
    """The one job, as soon as it has ended."""
    def ended():
        jobs = failovers(course.bed, name)
        return jobs and all(job["end_ts"] for job in jobs) and jobs
    jobs = wait_until(60, "the failover of %s ends" % name, ended)
    need(len(jobs) == 1 and jobs[0]["status"] == "success",
         "the failover of %s: %s" % (name, [(job["id"], job["status"])
                                            for job in jobs]))
    return jobs[0]


def archive(bed, job):
    bed.master("gnt-job", "archive", str(job["id"]))
    need(job["id"] not in [row["id"] for row in bed.query("job", ["id"])],
         "job %d is not archived" % job["id"])


def catch(course, relay, name):
    """Until the failover of `name` was handed to luxid."""
    need(relay.caught.wait(60), "no failover of %s was submitted: %s"
         % (name, course.where()))
    course.mark("failover of %s submitted, its answer lost" % name)


def luxid_executes_late(course, relay):
    """luxid stands still before it has read the submission. It goes on later
    and executes it; then orderlyd stands still, and the jobs are archived
    before it sees anything of them. Whether inst1 was asked for by then is
    left to chance."""
    bed, daemon = course.bed, course.daemon
    relay.arm(FAILOVER, full("inst3"), before=lambda: bed.call(
        "kill", "node1", "ganeti-luxid", "STOP"))
    repairs.start(course, luxid=relay.path)
    catch(course, relay, "inst3")
    time.sleep(STALL)
    daemon.freeze()
    went_on = time.time()
    bed.call("kill", "node1", "ganeti-luxid", "CONT")
    course.mark("luxid goes on")
    for name in ("inst3", "inst1"):
        if name == "inst1" and not failovers(bed, name):
            course.mark("inst1 waits for orderlyd")
            continue
        job = the_failover(course, name)
        late = judge.seconds(job["received_ts"]) - went_on
        need(name != "inst3" or late > 0, "%d was received %.1f s before "
             "luxid went on" % (job["id"], -late))
        archive(bed, job)
        course.mark("failover of %s has run late and is archived" % name)
    daemon.thaw()
    course.mark("orderlyd goes on")
    repairs.wait_final(course, 90, "inst1", "inst3")
    judge.each_intent_once(judge.our_jobs(bed, course.after))


def forget(bed, job):
    """As if the archive had been tidied: no file of the job is left."""
    files = glob.glob("%s/nodes/node1/var-lib-ganeti/queue/archive/*/job-%d"
                      % (bed.folder, job["id"]))
    need(len(files) == 1, "files of job %d: %s" % (job["id"], files))
    os.remove(files[0])
    rows = bed.query("job", ["id", "status"], ["=", "id", job["id"]])
    need(not [row for row in rows if row["status"] is not None],
         "luxid still knows job %d: %s" % (job["id"], rows))


def only_the_instance_knows(course, relay):
    """orderlyd dies with its submission, the job runs, and neither queue nor
    archive keeps it: the instance itself shows that it was moved."""
    bed, daemon = course.bed, course.daemon
    relay.arm(FAILOVER, full("inst8"))
    bed.add_tag("instance", full("inst8"), PREFIX + "failover")
    catch(course, relay, "inst8")
    daemon.crash()
    course.mark("orderlyd killed")
    job = the_failover(course, "inst8")
    archive(bed, job)
    forget(bed, job)
    home = bed.instances()["inst8"]["pnode"]
    need(home != full("node5"), "inst8 is still on node5")
    daemon.start()
    wait_until(20, "orderlyd is ready again", daemon.ready,
               story=daemon.last_words)
    course.follow(90, "the repair of inst8 has failed", lambda _:
                  repairs.explained(course, "inst8")["phase"] == "failed", 0.5)
    course.mark("a person is asked about inst8")
    repairs.wait_final(course, 60, "inst8")
    alerts = [e for e in daemon.story if e["kind"] == "alert"
              and e["object"] == "instance:" + full("inst8")]
    need(len(alerts) == 1, "alerts about inst8: %s"
         % [(e["code"], e["why"]) for e in alerts])
    course.wait_quiet()
    need(not failovers(bed, "inst8"), "inst8 was failed over again: %s"
         % [x["summary"] for x in failovers(bed, "inst8")])
    row = bed.instances()["inst8"]
    need(row["status"] == "running" and row["pnode"] == home,
         "inst8 is %s on %s" % (row["status"], row["pnode"]))
    part = [tag[len(PREFIX):].split(":")
            for tag in repairs.tags(bed, "inst8")]
    need([x[:2] + x[4:5] for x in part] == [["result", "failover", "failure"]],
         "inst8 has the tags %s" % part)
    return row["pnode"]


def lost_answers(course):
    """Answers to failovers get lost: luxid executes them late and the jobs
    are archived; or orderlyd dies and the archive knows nothing either."""
    bed, daemon = course.bed, course.daemon
    relay = Relay(daemon.folder + "/luxid.sock", bed.socket)
    try:
        for name in ("inst1", "inst3"):
            bed.add_tag("instance", full(name), PREFIX + "failover")
        bed.lose("node2")
        bed.lose("node5")
        luxid_executes_late(course, relay)
        only_the_instance_knows(course, relay)
        course.wait_quiet()
        jobs = judge.our_jobs(bed, course.after)
        judge.each_intent_once(jobs)
        judge.all_went_well(jobs)
        judge.only_these(jobs, ["inst1", "inst3", "inst8"])
        judge.ended_well(bed, jobs, "inst1", [FAILOVER,
                                              "OP_INSTANCE_REPLACE_DISKS"])
        judge.ended_well(bed, jobs, "inst3", [FAILOVER])
        daemon.stop()
    finally:
        relay.close()
