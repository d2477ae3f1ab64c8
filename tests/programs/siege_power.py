# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Power cuts under a journal: it lies on an ext4 of its own, which is shut down
in the middle of orders without flushing its log, as the power would. What was
not synchronized by then is gone. What this does not show is a disk that says
"synchronized" and is not. For siege.py."""
import fcntl
import os
import shutil
import struct
import subprocess
import time

from siege_daemon import Defeat

SHUTDOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN
NO_LOG_FLUSH = struct.pack("I", 2)


def run(*command):
    return subprocess.call(command, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)


class Disk:
    """An ext4 in a file, mounted over the journal's folder or another."""

    def __init__(self, folder, place="disk"):
        self.image, self.place = folder + "/image", folder + "/" + place

    def make(self):
        with open(self.image, "wb") as file:
            file.truncate(64 << 20)
        if run("mkfs.ext4", "-q", "-F", self.image) != 0 or not self.mount():
            return False
        os.rmdir(self.place + "/lost+found")
        return True

    def mount(self):
        return run("mount", "-o", "loop", self.image, self.place) == 0

    def cut(self):
        place = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(place, SHUTDOWN, NO_LOG_FLUSH)
        finally:
            os.close(place)

    def repair(self):
        """As a start of the machine does."""
        for _ in range(50):
            if run("umount", self.place) == 0:
                break
            time.sleep(0.1)
        if run("e2fsck", "-p", self.image) > 1 or not self.mount():
            raise Defeat("the disk cannot be used after the power cut")

    def remove(self):
        run("umount", "-l", self.place)
        os.remove(self.image)


def with_disk_of_its_own(s, disk):
    """The journal goes there and back, with what is in it."""
    kept = s.daemon.folder + "/kept"
    s.persons.rest()
    s.daemon.stop()
    s.daemon.copy(kept)
    if not disk.make():
        raise Defeat("there is no ext4 on a loop device")
    for name in os.listdir(kept):
        shutil.copy2(os.path.join(kept, name), disk.place)
    os.sync()  # what is put there by hand is not what is tested
    s.daemon.start()


def power_cuts(s):
    rounds = 25 if s.long else 4
    disk = Disk(s.daemon.folder)
    with_disk_of_its_own(s, disk)
    try:
        for number in range(rounds):
            s.persons.at_work.set()
            s.persons.must_be_heard()
            time.sleep(s.dice.uniform(0.0, 0.8))
            # While it is being shut down, ext4 calls synchronized what it
            # drops: of 60 such cuts under plain SQLite two lost a row that
            # was committed within them, and none one from before.
            account = s.persons.account()
            disk.cut()
            s.daemon.kill()
            s.persons.rest()
            s.persons.settle(account)
            disk.repair()
            lost = s.persons.lost(s.daemon.disk)
            if lost:
                raise Defeat("cut %d: %d acknowledged orders are lost"
                             % (number + 1, lost))
            s.daemon.start()
            s.nothing_is_lost()
        s.daemon.stop()
        s.daemon.copy(s.daemon.folder + "/kept")
    finally:
        s.daemon.kill()
        disk.remove()
    s.daemon.put(s.daemon.folder + "/kept")
    s.daemon.start()
    s.persons.at_work.set()
    return rounds


def possible(folder):
    """Whether this machine lets us mount such a disk and cut it."""
    # Not where a journal lies: it would be gone for that moment.
    os.mkdir(folder + "/probe")
    disk = Disk(folder, "probe")
    try:
        if not disk.make():
            return False
        disk.cut()
        return True
    except OSError:
        return False
    finally:
        disk.remove()
