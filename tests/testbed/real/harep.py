# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""`orderly harep` on the real cluster, called as cron would call it."""
import json
import subprocess
import time

import judge
import repairs
from bed import PREFIX, SCRIPT, full
from judge import need


def call(course, *options, code=0):
    """One pass; its output, or its complaint if it ends with another code
    than 0, which must be `code`."""
    done = subprocess.run(
        [SCRIPT, "on", "node1", "env", "-i", "PATH=/usr/bin:/bin",
         course.daemon.cli, "harep", "-L",
         "--socket=" + course.daemon.socket, *options],
        env=course.bed.environ, stdin=subprocess.DEVNULL, cwd="/",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        timeout=300, check=False)
    need(done.returncode == code, "orderly harep %s: exit %d, should be %d: "
         "%s%s" % (" ".join(options), done.returncode, code,
                   done.stdout[-400:], done.stderr[-400:]))
    return done.stdout if code == 0 else done.stderr


def harep(course):
    """One pass after another, as from cron: shows first, then repairs; and
    refuses where an orderlyd does it."""
    bed = course.bed
    bed.add_tag("cluster", "", PREFIX + "failover")
    bed.lose("node2")
    course.after = bed.last_job()
    course.began = time.monotonic()
    shows(course)
    beside_a_daemon(course)
    passes = repairs_by_passes(course)
    jobs = judge.our_jobs(bed, course.after)
    judge.repaired_only(bed, jobs)
    course.say("  %d passes, %d jobs" % (passes, len(jobs)))


def unchanged(course):
    need(course.bed.last_job() == course.after,
         "jobs were sent: %s" % [job["summary"] for job
                                 in course.bed.jobs(course.after)])


def shows(course):
    """A dry run tells all and sends nothing."""
    text = call(course, "--dry-run")
    for part in ("OP_INSTANCE_FAILOVER", full("inst1"), full("inst3"),
                 "pending:failover:", "Instance status count"):
        need(part in text, "the dry run does not show %s: %s" % (part, text))
    found = json.loads(call(course, "--dry-run", "--output=json"))
    rows = {row["name"]: row for row in found["instances"]}
    need(rows[full("inst1")]["needed"] == "failover",
         "the dry run's report on inst1: %s" % rows[full("inst1")])
    need(rows[full("inst2")]["needed"] == "reinstall"
         and rows[full("inst2")]["state"] == "needs-repair",
         "the dry run's report on inst2: %s" % rows[full("inst2")])
    unchanged(course)
    for name in ("inst1", "inst2", "inst3"):
        need(not repairs.tags(course.bed, name), "the dry run left tags on "
             "%s: %s" % (name, repairs.tags(course.bed, name)))
    course.mark("dry runs over")


def beside_a_daemon(course):
    """Where an orderlyd repairs the cluster, only a dry run is allowed."""
    bed, daemon = course.bed, course.daemon
    # That one should have nothing to do: the tag comes back later.
    bed.remove_tag("cluster", "", PREFIX + "failover")
    repairs.start(course)
    text = call(course, code=1)
    need("orderlyd" in text, "harep does not say that an orderlyd is in its "
         "way: " + text)
    course.say("  beside orderlyd: " + text.strip())
    call(course, "--dry-run")
    daemon.stop()
    unchanged(course)
    bed.add_tag("cluster", "", PREFIX + "failover")
    course.after = bed.last_job()
    course.mark("refused beside orderlyd")


def repairs_by_passes(course):
    """How many passes it took until all is final."""
    names = ["inst1", "inst2", "inst3"]
    for number in range(1, 31):
        began = time.monotonic()
        text = call(course, "--job-delay=1")
        need("Instance status count" in text,
             "a pass ended without its counts: " + text)
        course.mark("pass %d took %.1f s"
                    % (number, time.monotonic() - began))
        # Usually the first pass only begins: on a slow machine its jobs end
        # while it still waits for their ids to be noted.
        if all(judge.is_final(course.bed.tags(name)) for name in names):
            return number
        time.sleep(2)
    need(False, "not repaired after %d passes: %s" % (number, text))
    return 0
