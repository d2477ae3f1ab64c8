# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What all helper programs do alike: HELPER COMMAND NODE, read back, JSON.

A helper brings a class with switch(on), powered() and health(); this drives
it. No command succeeds by the controller's word: the state is polled until it
is the wanted one.

    power-off    switch(False), then powered() until it says off
    power-on     switch(True), then powered() until it says on
    power-cycle  refused if off; power-off, off_time seconds, power-on
    power-reset  refused if off; reset() if the helper has one, then powered()
"""
import json
import os
import selectors
import signal
import subprocess
import sys
import time

from oob_conf import FILE, Refused, Settings, twins

COMMANDS = ("power-on", "power-off", "power-cycle", "power-reset",
            "power-status", "health")
DENIED = 77  # exit code: the controller refused the user or the password
OUTPUT_MAX = 1 << 20
POLL = 1.0  # seconds between two readings
ITEMS_MAX = 1000


class Failed(Exception):
    """The controller did not do it, or nobody knows; a sentence without end.

    `again`: it may well work if it is asked once more. `denied`: it refused
    the user or the password, and a person has to correct them.
    """

    def __init__(self, text, again=False, denied=False):
        super().__init__(text)
        self.again = again
        self.denied = denied


def plain(text, most=1000):
    """`text` as one line that a terminal shows and does not obey: controllers
    have a hand in most of what we print."""
    line = " ".join(str(text)[:most].split())
    return "".join(x if x.isprintable() else "?" for x in line)


class Clock:
    """The one deadline of this run."""

    def __init__(self, limit):
        self.limit = limit
        self.end = time.monotonic() + limit

    def left(self):
        return max(0.0, self.end - time.monotonic())

    def sleep(self, seconds):
        time.sleep(min(seconds, self.left()))


class Done:
    """What a tool left behind."""

    def __init__(self, code, out, err, late):
        self.code = code
        self.out = out
        self.err = err
        self.late = late  # it was ended, its time was over


def stop(child):
    child.terminate()
    try:
        child.wait(1)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def run_tool(argv, limit, lines=()):
    """Runs a program with `lines` on its standard input, for `limit` seconds.

    To a tool the end of a line is the end of a setting, and what follows the
    next one. So whatever brought a control character here (a controller, the
    configuration), nothing is started.
    """
    for word in (*argv, *lines):
        if not word.isprintable():
            raise Failed("%s is not asked: a control character is in what it "
                         "would be told (%s)" % (argv[0], plain(word, 80)))
    text = "".join(line + "\n" for line in lines)
    try:
        child = subprocess.Popen(argv, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
    except OSError as error:
        raise Failed("cannot start %s: %s; install it"
                     % (argv[0], error.strerror)) from error
    end = time.monotonic() + limit
    kept = {child.stdout: b"", child.stderr: b""}
    late = False
    try:
        try:
            child.stdin.write(text.encode())
            child.stdin.close()
        except BrokenPipeError:
            pass  # it ended without reading; its exit code tells
        with selectors.DefaultSelector() as waits:
            for pipe in kept:
                waits.register(pipe, selectors.EVENT_READ)
            while waits.get_map() and not late:
                ready = waits.select(max(0.0, end - time.monotonic()))
                late = not ready
                for key, _ in ready:
                    piece = os.read(key.fd, 65536)
                    if not piece:
                        waits.unregister(key.fileobj)
                    kept[key.fileobj] += piece
                    if len(kept[key.fileobj]) > OUTPUT_MAX:
                        raise Failed("%s printed more than %d bytes"
                                     % (argv[0], OUTPUT_MAX))
        if not late:
            try:
                child.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                late = True
    finally:
        stop(child)
    return Done(child.returncode, *(x.decode("utf-8", "replace")
                                    for x in kept.values()), late)


def patiently(work, clock, what):
    """work(), tried again while that may help and time is left."""
    first = None
    while True:
        try:
            return work()
        except Failed as error:
            # The first try had the most time, so its account is the fullest.
            first = first or error
            if not error.again:
                first = error
            if not error.again or clock.left() <= POLL:
                raise Failed("%s: %s" % (what, first),
                             denied=first.denied) from error
        clock.sleep(POLL)


def reach(controller, clock, on):
    """Commands that state, and returns when it was read."""
    word = "on" if on else "off"
    patiently(lambda: controller.switch(on), clock,
              "power-%s was not taken" % word)
    await_state(controller, clock, on, "power-" + word)


def await_state(controller, clock, on, command):
    """Returns when that state was read."""
    word = "on" if on else "off"
    last = "nothing could be read"
    while clock.left() > 0:
        try:
            if controller.settled(on):
                return
            last = "the state that is read is still %s" \
                % ("off" if on else "on")
        except Failed as error:
            last = str(error)
        clock.sleep(POLL)
    raise Failed("%s was taken, but within %d s the machine was not "
                 "seen %s: %s; look at the machine"
                 % (command, clock.limit, word, last))


def cycle(controller, clock, off_time):
    if not patiently(controller.powered, clock, "power-cycle was not sent"):
        raise Failed("the machine is off, which power-cycle leaves as it is: "
                     "use power-on")
    reach(controller, clock, False)
    clock.sleep(off_time)
    try:
        reach(controller, clock, True)
    except Failed as error:
        raise Failed("the machine was switched off and is not on again: %s"
                     % error, denied=error.denied) from error


def reset(controller, clock):
    if not hasattr(controller, "reset"):
        raise Failed("this helper knows no power-reset: set "
                     "host_ha.restart_operation to \"cycle\"")
    if not patiently(controller.powered, clock, "power-reset was not sent"):
        raise Failed("the machine is off, which power-reset leaves as it is: "
                     "use power-on")
    patiently(controller.reset, clock, "power-reset was not taken")
    await_state(controller, clock, True, "power-reset")


def obey(controller, settings, clock, command):
    """Carries the command out; what belongs on standard output."""
    if command == "power-status":
        on = patiently(controller.powered, clock, "the state is unknown")
        return json.dumps({"powered": on})
    if command == "health":
        items = patiently(controller.health, clock, "no health is known")
        if not items:
            raise Failed("the controller told no sensor at all")
        items = [("same controller as " + other, "WARNING") for other in
                 twins(settings.path, settings.node, settings.helper)] + items
        return json.dumps([[plain(item, 200), status]
                           for item, status in items[:ITEMS_MAX]])
    if command == "power-cycle":
        cycle(controller, clock, settings.need("off_time"))
    elif command == "power-reset":
        reset(controller, clock)
    else:
        reach(controller, clock, command == "power-on")
    return ""


def usage(kind, text):
    name = kind.helper
    return """%s

usage: %s [--config FILE] COMMAND NODE
       %s [--config FILE] --check NODE

COMMAND is power-on, power-off, power-cycle, power-reset, power-status or
health. It ends with 0 only if it was done and read back, and with 77 if the
controller refused user or password; power-status and health print JSON.
--check reads the configuration of NODE and sends nothing; it warns, as health
does, if another node names the same machine of the same controller.

FILE (%s if not given):
%s

Sections, later ones win: [*], [* %s], [NODE], [NODE %s].
Times in seconds: time_limit (50) for a command, read_limit (20) for
power-status and health, off_time (2) between the halves of power-cycle.
The password file must not be readable by everybody.

Examples:
  %s power-status node1.example.com
  %s --config ./helpers.conf --check node1.example.com
""" % (text.strip(), name, name, FILE, kind.example.strip("\n"), name, name,
       name, name)


def parse(kind, text, argv):
    """(file, command, node), or the end of the program."""
    file = FILE
    if argv[:1] in (["--help"], ["-h"]):
        sys.stdout.write(usage(kind, text))
        sys.exit(0)
    if len(argv) > 1 and argv[0] == "--config":
        file, argv = argv[1], argv[2:]
    if len(argv) != 2 or argv[0] not in COMMANDS + ("--check",) \
            or not argv[1] or argv[1].startswith("-"):
        sys.stderr.write("%s: wanted are a COMMAND and a NODE; see "
                         "%s --help\n" % (kind.helper, kind.helper))
        sys.exit(2)
    return file, argv[0], argv[1]


def main(kind, text):
    """The whole program; `kind` is the class of its controller."""
    file, command, node = parse(kind, text, sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    where = node
    try:
        settings = Settings(file, node, kind.helper)
        reads = command in ("power-status", "health")
        clock = Clock(settings.need("read_limit" if reads else "time_limit"))
        controller = kind(settings, clock)
        where = "%s at %s" % (node, controller.where)
        if command == "--check":
            said = "%s: the configuration of %s is complete" % (kind.helper,
                                                                where)
            for other in twins(file, node, kind.helper):
                said += ("\n%s: WARNING: %s names the same machine of the same "
                         "controller, so one of the two switches the other's "
                         "machine; set address, plug or system in %s"
                         % (kind.helper, other, file))
        else:
            said = obey(controller, settings, clock, command)
    except Refused as error:
        sys.stderr.write("%s: %s: %s; nothing was sent\n"
                         % (kind.helper, plain(where), plain(error)))
        return 1
    except Failed as error:
        sys.stderr.write("%s: %s: %s\n" % (kind.helper, plain(where),
                                           plain(error)))
        return DENIED if error.denied else 1
    except (AttributeError, LookupError, RecursionError, TypeError,
            ValueError) as error:
        sys.stderr.write("%s: %s: its answer makes no sense (%s)\n"
                         % (kind.helper, plain(where), plain(error)))
        return 1
    if said:
        print(said)
    return 0
