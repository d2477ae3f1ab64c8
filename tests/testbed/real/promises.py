# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What orderlyd promises, against those who make it easy to break."""
import os
import subprocess
import time

from bed import full, wait_until
from judge import need

NODE2 = "node:" + full("node2")


def boot_of(bed, name):
    """Another one after each boot of the node."""
    with open("%s/nodes/%s/init.pid" % (bed.folder, name),
              encoding="ascii") as file:
        return file.read().strip()


def healthy_is_left_alone(course):
    """A treatment gets stuck on a hung controller; the node comes back by
    itself, then its controller: it is neither reset nor fenced."""
    bed, daemon = course.bed, course.daemon
    course.after = bed.last_job()
    course.began = time.monotonic()
    course.come_up()
    before = boot_of(bed, "node2")
    bed.call("oob", "node2", "hang")
    bed.call("cable", "off", "node2")

    def phase():
        return daemon.ask("explain", full("node2"))["nodes"][0]["phase"]
    course.follow(90, "node2 is being treated",
                  lambda _: phase() in ("recovering", "fencing"), 0.2)
    course.mark("the treatment of node2 began")
    bed.call("cable", "on", "node2")
    course.mark("node2 answers again")
    course.follow(60, "the treatment ends because node2 answers",
                  lambda _: phase() in ("suspect", "available"), 0.2)
    course.mark("the treatment is over")
    bed.call("oob", "node2", "ok")
    course.follow(150, "node2 is available again",
                  lambda _: phase() == "available", 0.5)
    course.mark("node2 is available again")
    need(boot_of(bed, "node2") == before,
         "node2 was switched off or reset, though it answered")
    need(not bed.node("node2")["offline"], "node2 was marked offline")
    need(bed.last_job() == course.after, "jobs were sent for a healthy node")
    daemon.stop()


def journal_taken_away(course):
    """Nothing is acknowledged without the journal's file, and orderlyd ends
    with exit code 3."""
    daemon = course.daemon
    daemon.start()
    wait_until(20, "orderlyd is ready", daemon.ready, story=daemon.last_words)
    for ending in ("", "-wal", "-shm"):
        if os.path.exists(daemon.journal + ending):
            os.remove(daemon.journal + ending)
    done = subprocess.run(
        [daemon.cli, "--socket", daemon.socket, "pause", "--reason", "a test"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=240, check=False)
    need(done.returncode != 0, "pause was acknowledged without a journal: %s"
         % done.stdout)
    code = daemon.outer.wait(60)
    daemon.pid = None
    need(code == 3, "orderlyd ended with code %d, should be 3: %s"
         % (code, daemon.last_words()))
    need("journal" in daemon.last_words(), "the log does not say why: %s"
         % daemon.last_words())


def promises(course):
    """A healthy node is left alone; nothing counts without the journal."""
    healthy_is_left_alone(course)
    journal_taken_away(course)
