#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""orderlyd that is in the middle of a long search ends at once on SIGTERM.

A made-up luxid tells of a large, uneven cluster; a plan is asked for, and the
daemon is stopped while it thinks.
usage: stop_search.py ORDERLYD
"""
import http.client
import json
import os
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time

NODES, INSTANCES = 600, 9000
STOPPED_WITHIN = 1.0  # seconds

SIZE = {"memory-size": 4, "disk-size": 0, "disk-count": 0, "cpu-count": 1,
        "nic-count": 0, "spindle-use": 0}
POLICY = {"minmax": [{"min": SIZE, "max": {key: 1 << 20 for key in SIZE}}],
          "std": SIZE, "spindle-ratio": 1000, "vcpu-ratio": 1000,
          "disk-templates": ["drbd"]}
GROUP = {"uuid": "g-1", "name": "default", "alloc_policy": "preferred",
         "ipolicy": POLICY, "tags": []}
CLUSTER = {"name": "made-up", "tags": [], "ipolicy": POLICY,
           "enabled_hypervisors": ["fake"]}
CONFIG = """\
[host_ha]
daemon_port = %(port)d
monitor_port = 0
[leader]
own_node = "node0"
[cluster]
luxi_socket = "%(folder)s/luxi"
[balance]
search_limit = "1m"
dynamic_load = false
[journal]
path = "%(folder)s/journal.db"
[http]
port = 0
socket = "%(folder)s/orderly.sock"
"""


def node(number):
    return {"name": "node%d" % number, "uuid": "n-%d" % number,
            "group": "default", "group.uuid": "g-1", "pip": "127.0.0.1",
            "offline": False, "drained": False, "vm_capable": True,
            "master_candidate": True, "powered": True, "ndp/oob_program": "",
            "tags": [], "mtotal": 262144, "mnode": 1024,
            "mfree": 200000, "dtotal": 9000000, "dfree": 8000000,
            "ctotal": 64, "cnos": 1, "ndp/spindle_count": 1,
            "ndp/exclusive_storage": False, "ndp/cpu_speed": 1.0}


def instance(number):
    first = number * number % (NODES // 2)  # half of the nodes are idle
    memory, disk = 512 + number * 37 % 4096, 1024 + number * 91 % 8192
    return {"name": "inst%d" % number, "uuid": "i-%d" % number,
            "forthcoming": False, "pnode": "node%d" % first,
            "snodes": ["node%d" % (first + 1)], "disk_template": "drbd",
            "admin_state": "up", "status": "running", "tags": [],
            "be/maxmem": memory, "be/memory": memory, "oper_ram": memory,
            "be/vcpus": 1 + number % 4, "be/auto_balance": True,
            "be/spindle_use": 1, "disk.sizes": [disk], "disk.spindles": [None],
            "disk_usage": disk + 128, "os": "noop"}


TABLES = {"group": [GROUP], "node": [node(n) for n in range(NODES)],
          "instance": [instance(n) for n in range(INSTANCES)]}


def answer(method, args):
    if method == "QueryClusterInfo":
        return CLUSTER
    if method == "QueryConfigValues":
        return ["made-up", "node0"]
    if method != "Query":
        return []
    rows = TABLES.get(args[0], [])
    return {"fields": [], "data": [
        [[0, row[f]] if f in row else [2, None] for f in args[1]]
        for row in rows]}


class Luxid(socketserver.BaseRequestHandler):
    def handle(self):
        data = b""
        while True:
            while b"\3" not in data:
                chunk = self.request.recv(1 << 16)
                if not chunk:
                    return
                data += chunk
            question, data = data.split(b"\3", 1)
            question = json.loads(question)
            result = answer(question["method"], question["args"])
            self.request.sendall(json.dumps(
                {"success": True, "result": result}).encode() + b"\3")
            if "be/vcpus" in str(question["args"]):
                self.server.model_read.set()


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


class Line(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def ask(path, method, target):
    line = Line(path)
    line.request(method, target)
    reply = line.getresponse()
    body = json.loads(reply.read())
    line.close()
    return reply.status, body


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
    before = cpu(daemon.pid)
    time.sleep(0.5)
    need(ask(path, "GET", "/2/balance")[1]["plan"] < asked,
         "the search ended before it could be stopped")
    spent = cpu(daemon.pid) - before
    need(spent > 0.1, "nothing was searched: %.2f s of CPU in half a second"
         % spent)
    began = time.monotonic()
    daemon.send_signal(signal.SIGTERM)
    code = daemon.wait(20)
    took = time.monotonic() - began
    need(code == 0, "exit code %d on SIGTERM" % code)
    need(took < STOPPED_WITHIN, "it took %.1f s to stop" % took)
    print("stopped after %.2f s in the middle of a search" % took)


def main():
    with tempfile.TemporaryDirectory() as folder, \
            Server(folder + "/luxi", Luxid) as luxid, \
            socket.create_server(("127.0.0.1", 0), backlog=1024) as nodes:
        luxid.model_read = threading.Event()
        threading.Thread(target=luxid.serve_forever, daemon=True).start()
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
