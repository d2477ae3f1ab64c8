# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""orderlyd as a service: its signals, its journal's lock, its answers."""
import signal
import subprocess
import time

from bed import SCRIPT, wait_until
from daemon import Daemon
from judge import need


def service(course):
    """Signals, a second daemon, health, metrics, and news for systemd."""
    daemon = course.daemon
    course.after = course.bed.last_job()
    votes(course)
    daemon.start("--debug")
    wait_until(20, "orderlyd is ready", daemon.ready,
               story=daemon.last_words)
    notices(daemon)
    answers(course)
    reload(daemon)
    second(course)
    took = daemon.stop()
    need("STOPPING=1" in daemon.notices.seen, "systemd was not told "
         "STOPPING=1")
    need("stopped in order" in daemon.last_words(), "SIGTERM: orderlyd did "
         "not stop in order: " + daemon.last_words())
    course.say("  SIGTERM: exit code 0 after %.2f s" % took)
    daemon.start()
    wait_until(20, "orderlyd is ready again", daemon.ready)
    daemon.stop()
    need(course.bed.last_job() == course.after,
         "orderlyd sent jobs to a healthy cluster")


def votes(course):
    """Without --standby it leaves where the node is not the master. On the
    master it asks every node daemon first, and most must name it."""
    done = subprocess.run(
        [SCRIPT, "on", "node2", course.daemon.program, "--config",
         course.daemon.config], env=course.bed.environ, timeout=60,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False)
    need(done.returncode == 11 and "is not the master" in done.stdout,
         "started on node2 it ends with %d: %s"
         % (done.returncode, done.stdout))


def notices(daemon):
    def told(word, times=1):
        return lambda: daemon.notices.seen.count(word) >= times
    wait_until(10, "systemd is told READY=1", told("READY=1"))
    wait_until(10, "systemd is told WATCHDOG=1 twice", told("WATCHDOG=1", 2))
    need(any(text.startswith("STATUS=") for text in daemon.notices.seen),
         "systemd is told no STATUS=")


def answers(course):
    daemon = course.daemon
    for path in ("/healthz", "/readyz"):
        status, body = daemon.get(path)
        need(status == 200, "%s answers %d: %s" % (path, status, body))
    text = course.bed.master("curl", "-sS", "--max-time", "5",
                             "http://127.0.0.1:%d/healthz" % daemon.port)
    need(text == "ok\n", "http://127.0.0.1:%d/healthz on the node says: %s"
         % (daemon.port, text))
    status, body = daemon.get("/metrics")
    need(status == 200, "/metrics answers %d" % status)
    try:
        done = subprocess.run(["promtool", "check", "metrics"], input=body,
                              stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, check=False)
    except FileNotFoundError:
        course.say("  promtool is not installed: metrics were not linted")
        return
    need(done.returncode == 0 and not done.stdout.strip(),
         "promtool check metrics: " + done.stdout.strip())
    course.say("  promtool found nothing in %d lines of metrics"
               % body.count("\n"))


def reload(daemon):
    need(daemon.ask("status")["autorepair"] is True,
         "autorepair should be on at first")
    before = daemon.notices.seen.count("READY=1")
    for wanted in (False, True):
        daemon.configure(autorepair="true" if wanted else "false")
        daemon.signal(signal.SIGHUP)
        wait_until(10, "after SIGHUP status says autorepair %s" % wanted,
                   lambda w=wanted: daemon.ask("status")["autorepair"] is w)
    # A file that cannot be read leaves everything as it was.
    daemon.configure(autorepair='"perhaps"')
    daemon.signal(signal.SIGHUP)
    wait_until(10, "systemd is told READY=1 after each of three reloads",
               lambda: daemon.notices.seen.count("READY=1") == before + 3)
    need(any(text.startswith("RELOADING=1") for text in daemon.notices.seen),
         "systemd was not told RELOADING=1")
    need(daemon.ask("status")["autorepair"] is True and daemon.ready(),
         "a broken settings file changed the running orderlyd")
    daemon.configure()


def second(course):
    """On the same journal: refuses, and the first one goes on."""
    first = course.daemon
    other = Daemon(course.bed, first.program, first.cli,
                   "service/second", 1817)
    other.journal = first.journal
    other.configure()
    began = time.monotonic()
    try:
        other.launch()
        code = other.outer.wait(20)
    except subprocess.TimeoutExpired:
        need(False, "a second orderlyd on the same journal still runs after "
             "20 s: " + other.last_words())
    finally:
        other.discard()
    need(code not in (0, -signal.SIGKILL), "a second orderlyd on the same "
         "journal ended with code %d" % code)
    with open(other.log, encoding="utf-8") as file:
        text = file.read()
    need("held by another process" in text, "a second orderlyd on the same "
         "journal does not say why it ends: " + other.last_words())
    need(first.ready(), "the first orderlyd was disturbed by the second")
    course.say("  a second orderlyd refused with code %d after %.1f s"
               % (code, time.monotonic() - began))
