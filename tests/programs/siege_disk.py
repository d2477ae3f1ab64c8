# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What becomes of the disk under an orderlyd, and of its journal. Each attack
is as in siege_attacks.py."""
import os
import shutil
import sqlite3
import subprocess
import time

from siege_daemon import Defeat, until


def fill(s):
    """The disk is full, with the last byte."""
    with open(s.daemon.disk + "/filler", "ab", buffering=0) as file:
        for size in (1 << 20, 4096, 512, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                pass


def comes_to_rest(disk):
    """What a start says of its nodes takes more room than is left below."""
    def free():
        room = os.statvfs(disk)
        return room.f_bavail * room.f_frsize

    end, before = time.monotonic() + 60, free()
    while time.monotonic() < end:
        time.sleep(3)
        if before - free() < 64 << 10:
            return
        before = free()
    raise Defeat("it never stops writing, though nothing happens")


def is_watched(s):
    """Less room than `journal.room_min` is told before there is none."""
    s.persons.rest()  # they would fill it
    comes_to_rest(s.daemon.disk)
    told = s.daemon.log_size()
    room = os.statvfs(s.daemon.disk)
    with open(s.daemon.disk + "/filler", "wb") as file:
        os.posix_fallocate(file.fileno(), 0,
                           room.f_bavail * room.f_frsize - (2 << 20))
    until(lambda: any(" journal journal-room: " in x
                      for x in s.daemon.log_since(told)), 30,
          "nothing tells that the disk will be full")
    if s.daemon.get("/readyz")[0] != 200:
        raise Defeat("not ready, while there is room: "
                     + s.daemon.get("/readyz")[1])
    s.persons.at_work.set()


def full_disk(s):
    try:
        is_watched(s)
        fill(s)
        until(lambda: s.daemon.get("/readyz")[0] == 503
              or (s.persons.order(True), s.persons.order(False)) is None, 60,
              "/readyz says ready, while nothing can be written")
        if s.daemon.get("/healthz")[0] != 200:
            raise Defeat("/healthz fails for a full disk")
        # The text before it is served while the new one is made.
        until(lambda: "orderly_journal_writable 0"
              in s.daemon.get("/metrics")[1], 10,
              "no metric tells of the full disk")
        time.sleep(min(5, s.span))
    finally:
        os.remove(s.daemon.disk + "/filler")
    until(lambda: s.daemon.get("/readyz")[0] == 200, 60,
          "not ready again once there is room")
    for merged in (False, True):
        s.daemon.stop()
        if merged:
            merge_log(s)
        fill(s)
        begins_without_room(s, lambda: os.remove(s.daemon.disk + "/filler"))
    return 3


def merge_log(s):
    """Else the room that the journal's log has may do for a start, which then
    gets stuck with its first row."""
    journal = sqlite3.connect(s.daemon.disk + "/journal.db")
    journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.close()


def begins_without_room(s, make_room):
    """A start while the journal cannot be written: it stays, says why on every
    way out that works, takes no order, and goes on by itself."""
    told, before = s.daemon.log_size(), s.persons.number

    def is_told(what):
        return [x for x in s.daemon.log_since(told)
                if " journal journal-stuck: " + what in x]
    try:
        s.daemon.launch()
        until(lambda: not s.daemon.lives() or (
            s.daemon.get("/readyz")[0] == 503 and "the journal cannot be "
            "written: journal " in s.daemon.get("/readyz")[1]),
              60, "/readyz does not say that the journal cannot be written")
        if not s.daemon.lives():
            raise Defeat("it ended with %s: %s" % (
                s.daemon.process.returncode, s.daemon.last_words()))
        if s.daemon.get("/healthz") != (200, "ok\n"):
            raise Defeat("/healthz fails")
        until(lambda: "orderly_journal_writable 0"
              in s.daemon.get("/metrics")[1], 10, "no metric tells of it")
        until(lambda: is_told("nothing is begun"), 10, "no alert in the log")
        if 200 in (s.persons.order(True), s.persons.order(False)):
            raise Defeat("an order is acknowledged and cannot be kept")
        time.sleep(6)  # what is over so soon is no alert
        # A small row may find room at times, and the next one none.
        if len(is_told("")) > 4:
            raise Defeat("it is told %d times" % len(is_told("")))
    finally:
        make_room()
    s.daemon.serves(60)
    until(lambda: s.daemon.get("/readyz")[0] == 200, 60,
          "not ready once there is room")
    until(lambda: is_told("for "), 10, "no alert says how long it was")
    s.persons.must_be_heard()
    time.sleep(1)  # the log is half a second behind
    old = [x for x in s.daemon.orders_logged(told) if x <= before]
    if old:
        raise Defeat("%d orders of earlier lives are told as new" % len(old))


def remount(s, how):
    return subprocess.call(["mount", "-o", "remount," + how, s.daemon.disk],
                           stderr=subprocess.DEVNULL) == 0


def read_only(s):
    """The system refuses that while the journal is open, so orderlyd is killed
    first and starts without being able to write."""
    remount(s, "ro") and remount(s, "rw")
    s.daemon.kill()
    if not remount(s, "ro"):
        raise Defeat("cannot remount the journal's disk read-only")
    begins_without_room(s, lambda: remount(s, "rw"))
    return 1


def moved(s):
    """Away under the daemon: nothing is acknowledged, it ends with 3. Put
    back, all is there."""
    away = s.daemon.folder + "/away"
    rounds = 3 if s.long else 1
    for _ in range(rounds):
        s.persons.rest()
        time.sleep(0.3)
        shutil.rmtree(away, ignore_errors=True)
        os.mkdir(away)
        main = s.daemon.disk + "/journal.db"
        os.rename(main, s.daemon.disk + "/elsewhere.db")
        if 200 in (s.persons.order(True), s.persons.order(False)):
            raise Defeat("an order is acknowledged into a moved journal")
        s.daemon.exits(60, 3)
        os.rename(s.daemon.disk + "/elsewhere.db", main)
        s.daemon.start()
        s.persons.at_work.set()
    return rounds


def flipped(s):
    """One bit of what is on disk. Either it did not matter, or orderlyd is
    paused until somebody has looked, or refuses with 1 or 3."""
    s.persons.rest()
    s.daemon.stop()
    kept = s.daemon.folder + "/kept"
    s.daemon.copy(kept)
    rounds = 30 if s.long else 5
    for _ in range(rounds):
        s.daemon.put(kept)
        with open(s.daemon.disk + "/journal.db", "r+b") as file:
            at = s.dice.randrange(os.path.getsize(file.name))
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ 1 << s.dice.randrange(8)]))
        s.daemon.launch()
        look_at_flipped(s, at)
    s.daemon.put(kept)
    s.daemon.start()
    s.persons.at_work.set()
    return rounds


def look_at_flipped(s, at):
    def settled():
        return (not s.daemon.lives()
                or s.daemon.status()["right_to_act"]["held"])
    until(settled, 60, "neither serves nor ends")
    if not s.daemon.lives():
        s.daemon.exits(1, 1, 3)
        return
    paused = s.daemon.status()["guard"]["paused"]
    s.daemon.stop()
    try:
        whole = s.persons.lost(s.daemon.disk) == 0
    except Exception:  # sqlite3: what cannot be read has lost all
        whole = False
    if not whole and not paused:
        raise Defeat("byte %d flipped: orders are gone, and it goes on" % at)


def restored(s):
    """An older copy is put in place: refused with 3, and the newest is taken
    again."""
    s.persons.rest()
    s.daemon.stop()
    old, newest = s.daemon.folder + "/old", s.daemon.folder + "/newest"
    s.daemon.copy(old)
    s.daemon.start()
    s.persons.must_be_heard()
    s.daemon.stop()
    s.daemon.copy(newest)
    os.remove(old + "/journal.db.epoch")
    epoch = s.daemon.disk + "/journal.db.epoch"
    shutil.copy2(epoch, old)
    s.daemon.put(old)
    s.daemon.launch()
    s.daemon.exits(60, 3)
    s.daemon.put(newest)
    s.daemon.start()
    s.persons.at_work.set()
    return 1
