#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Settings for nodes and groups that the cluster does not have are told.

At the start, after a reload, and not of those that name somebody.
usage: names_of_nobody.py ORDERLYD
"""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from made_up_cluster import SETTINGS, Luxid, ask

CONFIG = SETTINGS + """\
[agents]
port = 0
[power.levels]
"node1" = ["!"]
"%(stranger)s" = ["!"]
"group:default" = ["!"]
[host_ha.groups]
"%(group)s" = ["activity_checks = 500"]
"""


def told(path):
    """What the alerts say of names, the oldest first."""
    status, body = ask(path, "GET", "/2/decisions?limit=2000")
    if status != 200:
        return []
    return [x["why"] for x in body["decisions"] if x["code"] == "names-nobody"]


def until(path, wanted):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if os.path.exists(path):
            said = told(path)
            if len(said) >= len(wanted):
                break
        time.sleep(0.2)
    good = len(said) == len(wanted) and all(
        word in text for word, text in zip(wanted, said))
    if not good:
        sys.exit("FAILED: %r is told, not %r" % (said, wanted))


def main():
    with tempfile.TemporaryDirectory() as folder, \
            Luxid(folder + "/luxi", 3, 3) as luxid, \
            socket.create_server(("127.0.0.1", 0), backlog=64) as nodes:
        config, path = folder + "/orderly.toml", folder + "/orderly.sock"

        def write(stranger, group):
            with open(config + ".new", "w", encoding="ascii") as file:
                file.write(CONFIG % {"folder": folder, "stranger": stranger,
                                     "port": nodes.getsockname()[1],
                                     "group": group})
            os.chmod(config + ".new", 0o600)
            os.rename(config + ".new", config)

        write("nod2", "default")
        with open(folder + "/log", "wb") as log, subprocess.Popen(
                [sys.argv[1], "--standby", "--config", config],
                stderr=log) as daemon:
            try:
                until(path, ['"nod2"'])
                write("node2", "defualt")
                daemon.send_signal(signal.SIGHUP)
                until(path, ['"nod2"', '"defualt"'])
            finally:
                daemon.kill()
        luxid.shutdown()
    print("all as it should be")


if __name__ == "__main__":
    main()
