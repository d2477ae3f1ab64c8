#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""orderlyd that is in the middle of a long search ends at once on SIGTERM.

A made-up luxid tells of a large, uneven cluster; a plan is asked for, and the
daemon is stopped while it thinks.
usage: stop_search.py ORDERLYD
"""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from made_up_cluster import SETTINGS, Luxid, ask

NODES, INSTANCES = 600, 9000
# Much less than what is left of the search, and much more than a busy machine
# needs.
STOPPED_WITHIN = 20  # seconds

CONFIG = SETTINGS + """\
[balance]
search_limit = "1m"
dynamic_load = false
"""


def cpu(pid):
    """Seconds of CPU that the process has had."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def need(good, text):
    if not good:
        sys.exit("FAILED: " + text)


def stop_thinking(daemon, path, model_read):
    """Asks for a plan and stops the daemon before there is one."""
    for _ in range(100):
        if os.path.exists(path) and ask(path, "GET", "/2/status")[1].get("polled"):
            break
        time.sleep(0.2)
    status, sheet = ask(path, "POST", "/2/balance/plan")
    need(status == 200, "the plan is refused: %s" % sheet)
    asked = sheet["asked"]
    need(model_read.wait(30), "the model was not read")
    time.sleep(1)
    before, spent = cpu(daemon.pid), 0
    for _ in range(60):  # half a second, and more where others are at work
        time.sleep(0.5)
        spent = cpu(daemon.pid) - before
        if spent > 0.1:
            break
    need(ask(path, "GET", "/2/balance")[1]["plan"] < asked,
         "the search ended before it could be stopped")
    need(spent > 0.1, "nothing was searched: %.2f s of CPU" % spent)
    began = time.monotonic()
    daemon.send_signal(signal.SIGTERM)
    try:
        code = daemon.wait(STOPPED_WITHIN)
    except subprocess.TimeoutExpired:
        sys.exit("FAILED: it did not stop within %d s" % STOPPED_WITHIN)
    took = time.monotonic() - began
    need(code == 0, "exit code %d on SIGTERM" % code)
    print("stopped after %.2f s in the middle of a search" % took)


def main():
    with tempfile.TemporaryDirectory() as folder, \
            Luxid(folder + "/luxi", NODES, INSTANCES) as luxid, \
            socket.create_server(("127.0.0.1", 0), backlog=1024) as nodes:
        config = folder + "/orderly.toml"
        with open(config, "w", encoding="ascii") as file:
            file.write(CONFIG % {"folder": folder,
                                 "port": nodes.getsockname()[1]})
        with open(folder + "/log", "wb") as log, subprocess.Popen(
                [sys.argv[1], "--config", config], stderr=log) as daemon:
            try:
                stop_thinking(daemon, folder + "/orderly.sock",
                              luxid.model_read)
            finally:
                if daemon.poll() is None:
                    daemon.kill()
        luxid.shutdown()


if __name__ == "__main__":
    main()
