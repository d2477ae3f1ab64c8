#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What orderlyd makes is nobody else's, whatever umask it is started with, and
`orderlyd --check` names settings that are in the hands of others, or that open
a door to them; a reload takes no settings that say nothing.

  tests/programs/modes_of_files.py build/bin/orderlyd
"""
import grp
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile

from made_up_cluster import Luxid
from siege_daemon import Daemon, until

OURS = {"journal.db", "journal.db-wal", "journal.db-shm", "journal.db.epoch",
        "journal.db.lock"}


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def expect(got, wanted, what):
    if got != wanted:
        sys.exit("%s is %r, not %r" % (what, got, wanted))


def modes_under(mask, orderlyd):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/disk", 0o700)
        luxid = Luxid(folder + "/luxi", 4, 4)
        daemon = Daemon(orderlyd, folder, (0, 1, 0), "5s")
        try:
            daemon.launch(before=lambda: os.umask(mask))
            until(lambda: daemon.status()["polled"], 60, daemon.last_words)
            there = set(os.listdir(daemon.disk))
            if not {"journal.db", "journal.db.epoch"} <= there:
                sys.exit("no journal in %s" % sorted(there))
            for name in there:
                if name not in OURS:
                    sys.exit("nobody knows of the file " + name)
                expect(oct(mode(daemon.disk + "/" + name)), "0o600",
                       "under umask %03o the mode of %s" % (mask, name))
            expect(oct(mode(daemon.socket)), "0o600", "that of the socket")
            expect(oct(mode(folder + "/readers.sock")), "0o660",
                   "that of the readers' socket")
        finally:
            daemon.stop()
            luxid.shutdown()


def readers_group(orderlyd):
    """Without the right to change owners, as in its unit, the readers' socket
    is given to a group that orderlyd has; else it says what is missing."""
    group = grp.getgrnam("adm")
    bare = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
    for has in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(folder + "/disk", 0o700)
            luxid = Luxid(folder + "/luxi", 4, 4)
            daemon = Daemon(orderlyd, folder, (0, 1, 0), "5s")
            with open(daemon.config, encoding="ascii") as file:
                text = file.read()
            with open(daemon.config, "w", encoding="ascii") as file:
                file.write(re.sub('reader_group = .*', 'reader_group = "adm"',
                                  text))
            try:
                daemon.launch(through=bare + (
                    ("--groups=%d" % group.gr_gid,) if has
                    else ("--clear-groups",)))
                until(lambda: daemon.status()["polled"], 60, daemon.last_words)
                if has:
                    there = os.lstat(folder + "/readers.sock")
                    expect((there.st_gid, oct(mode(folder + "/readers.sock"))),
                           (group.gr_gid, "0o660"), "the readers' socket")
                else:
                    until(lambda: "readers.conf" in " ".join(
                        daemon.all_since(0)), 20, daemon.last_words)
            finally:
                daemon.stop()
                luxid.shutdown()


def reloads(orderlyd):
    """What sets nothing, or is gone, is no wish for the defaults."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/disk", 0o700)
        luxid = Luxid(folder + "/luxi", 4, 4)
        daemon = Daemon(orderlyd, folder, (0, 1, 0), "5s")
        with open(daemon.config, encoding="ascii") as file:
            good = file.read()

        def reload(text, *words):
            if text is None:
                os.remove(daemon.config)
            else:
                with open(daemon.config, "w", encoding="ascii") as file:
                    file.write(text)
                os.chmod(daemon.config, 0o600)
            before = daemon.log_size()
            daemon.process.send_signal(signal.SIGHUP)
            until(lambda: all(word in " ".join(daemon.log_since(before))
                              for word in words),
                  20, lambda: "%r: %s" % (text, daemon.last_words()))
        try:
            daemon.launch()
            until(lambda: daemon.status()["polled"], 60, daemon.last_words)
            for nothing in ("", "\n \n", "# [journal]\n\t# path\n"):
                reload(nothing, "sets nothing", "settings not reloaded")
            reload(good, "settings reloaded")
            reload(None, daemon.config, "settings not reloaded")
        finally:
            daemon.stop()
            luxid.shutdown()


def check(orderlyd, path, code, *words):
    done = subprocess.run([orderlyd, "--check", "--config", path],
                          capture_output=True, text=True, check=False)
    expect(done.returncode, code, "the exit code (%s)" % done.stderr)
    for word in words:
        if word not in done.stderr:
            sys.exit("not named: %s in %s" % (word, done.stderr))


def checks(orderlyd):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/orderly.toml"

        def write(text):
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
        write("")
        os.chmod(path, 0o600)
        check(orderlyd, path, 0)
        for bad in (0o602, 0o622, 0o666):
            os.chmod(path, bad)
            check(orderlyd, path, 2, path, "in the hands of others")
        os.chmod(path, 0o600)
        os.chmod(folder, 0o777)
        check(orderlyd, path, 2, folder)
        os.chmod(folder, 0o700)
        for far in ("0.0.0.0", "::", "192.0.2.1"):
            write('[http]\naddress = "%s"\n' % far)
            check(orderlyd, path, 0, "warning", far)
        os.mkdir(folder + "/open")
        os.chmod(folder + "/open", 0o777)
        for section, key in (("journal", "path"), ("http", "socket"),
                             ("http", "reader_socket")):
            write('[%s]\n%s = "%s/open/it"\n' % (section, key, folder)
                  + ('reader_group = "root"\n' if "reader" in key else ""))
            check(orderlyd, path, 0, "warning", "%s.%s" % (section, key),
                  folder + "/open", "chmod go-w")
        write('[http]\naddress = "nowhere"\n')
        check(orderlyd, path, 2, "nowhere")
        write("[http]\nno_such_key = 1\n")
        check(orderlyd, path, 2, "no_such_key")


def main():
    orderlyd = os.path.abspath(sys.argv[1])
    for mask in (0o000, 0o022, 0o077):
        modes_under(mask, orderlyd)
    readers_group(orderlyd)
    checks(orderlyd)
    reloads(orderlyd)


if __name__ == "__main__":
    main()
