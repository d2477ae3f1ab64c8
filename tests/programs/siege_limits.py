# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What the machine does to an orderlyd: memory that is short, clocks that jump.
Each attack is as in siege_attacks.py."""
import ctypes
import os
import resource
import struct
import time

import siege_luxid
from siege_daemon import Defeat, MIB, until
from siege_attacks import flood

ROOM = 64  # MiB of address space beyond what it has when all is calm
NEW_TIME = 0x80  # CLONE_NEWTIME
TEN_DAYS = 864000


def address_space(pid):
    with open("/proc/%d/statm" % pid, encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def ended_with_a_word(daemon):
    """It says what to raise, and ends so that systemd starts it again."""
    daemon.exits(0, 1)
    if "memory" not in daemon.last_words():
        raise Defeat("no word of memory: " + daemon.last_words())
    daemon.start()


def little_memory(s):
    """No room for what strangers and luxid would have it keep. It may end, as
    documented; whoever starts it again finds all that was acknowledged."""
    daemon, deaths = s.daemon, 0
    s.allowance = siege_luxid.MIB_TOLD
    for what in ("flood", siege_luxid.many_values, siege_luxid.too_long):
        daemon.get("/2/instances")
        most = address_space(daemon.process.pid) + ROOM * MIB
        # One that lives on has grown by the next time, and a hard limit can
        # only be lowered.
        resource.prlimit(daemon.process.pid, resource.RLIMIT_AS,
                         (most, resource.RLIM_INFINITY))
        if what == "flood":
            flood(s)
        else:
            s.luxid.mood = what
            time.sleep(max(4, s.mood_span))
            s.luxid.mood = siege_luxid.honest
        if not daemon.lives():
            deaths += 1
            ended_with_a_word(daemon)
        # The right to act outlives a port that has gone, so luxid is asked
        # whether it is: for two pictures more.
        asked = s.luxid.asked + 12
        until(lambda: not daemon.lives() or (
            s.luxid.asked > asked and not daemon.status()["poll_error"]),
              60, "the cluster is not read any more")
        if not daemon.lives():
            deaths += 1
            ended_with_a_word(daemon)
        daemon.serves(60)
        s.persons.must_be_heard()
        s.nothing_is_lost()
    daemon.stop()
    daemon.start()
    s.note = "%d ends" % deaths
    return 3


class Clocks:
    """The file that clock_steps.so reads."""

    def __init__(self, path):
        self.path = path
        self.set(0, 0)

    def set(self, wall, boot):
        with open(self.path, "r+b" if os.path.exists(self.path)
                  else "wb") as file:
            file.write(struct.pack("qq", wall, boot))


# Steps of the calendar, and of the time since boot: a suspend moves both.
# More than five in ten minutes would end orderlyd, as any service that falls
# again and again.
STEPS = [(3600, 0), (0, 0), (-86400, 0), (-85800, 600), (0, 600)]


def step(s, clocks, wall, boot):
    """The right to act is gone at once, that is told, and comes back."""
    told = s.daemon.log_size()
    clocks.set(wall, boot)
    until(lambda: any(" clock-jump" in x for x in s.daemon.log_since(told)),
          60, "a step of the clock to %d is not told" % wall)
    until(lambda: any("leader no-lease" in x
                      for x in s.daemon.log_since(told)),
          60, "the right to act outlives a step of the clock")
    s.daemon.serves(60)
    s.persons.must_be_heard()
    if sum(" clock-jump" in x for x in s.daemon.log_since(told)) > 1:
        raise Defeat("one step of the clock is told more than once")


def clocks_step(s):
    clocks = Clocks(s.daemon.folder + "/clocks")
    s.daemon.stop()
    s.daemon.start(env={"LD_PRELOAD": s.clock_steps,
                        "ORDERLY_CLOCK_STEPS": clocks.path})
    steps = STEPS if s.long else STEPS[:4]
    for wall, boot in steps:
        step(s, clocks, wall, boot)
    s.daemon.stop()
    struck = len(steps) + other_time(s)
    s.daemon.start()
    return struck


def other_time(s):
    """A machine that has been up for ten days more; without such namespaces
    nothing is done."""
    def later():
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(NEW_TIME) == 0:
            with open("/proc/self/timens_offsets", "w",
                      encoding="ascii") as file:
                file.write("monotonic %d 0\nboottime %d 0\n"
                           % (TEN_DAYS, TEN_DAYS))
    s.daemon.start(before=later)
    s.persons.must_be_heard()
    mine = os.readlink("/proc/self/ns/time")
    struck = os.readlink("/proc/%d/ns/time" % s.daemon.process.pid) != mine
    s.daemon.stop()
    return int(struck)
