# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""A luxid on a unix socket that tells of a made-up, uneven cluster, and the way
to ask orderlyd something. For the tests and benches that run a real orderlyd
without a Ganeti.
"""
import http.client
import json
import socket
import socketserver
import sys
import threading

SIZE = {"memory-size": 4, "disk-size": 0, "disk-count": 0, "cpu-count": 1,
        "nic-count": 0, "spindle-use": 0}
POLICY = {"minmax": [{"min": SIZE, "max": {key: 1 << 20 for key in SIZE}}],
          "std": SIZE, "spindle-ratio": 1000, "vcpu-ratio": 1000,
          "disk-templates": ["drbd"]}
GROUP = {"uuid": "g-1", "name": "default", "alloc_policy": "preferred",
         "ipolicy": POLICY, "tags": []}
CLUSTER = {"name": "made-up", "tags": [], "ipolicy": POLICY,
           "enabled_hypervisors": ["fake"]}


# Of an orderlyd beside it, with all that it makes in one folder.
SETTINGS = """\
[host_ha]
daemon_port = %(port)d
monitor_port = 0
[leader]
own_node = "node0"
[cluster]
luxi_socket = "%(folder)s/luxi"
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
            "tags": [], "serial_no": 1, "mtotal": 262144, "mnode": 1024,
            "mfree": 200000, "dtotal": 9000000, "dfree": 8000000,
            "ctotal": 64, "cnos": 1, "ndp/spindle_count": 1,
            "ndp/exclusive_storage": False, "ndp/cpu_speed": 1.0}


def instance(number, nodes):
    first = number * number % (nodes // 2)  # half of the nodes are idle
    memory, disk = 512 + number * 37 % 4096, 1024 + number * 91 % 8192
    return {"name": "inst%d" % number, "uuid": "i-%d" % number,
            "forthcoming": False, "pnode": "node%d" % first,
            "snodes": ["node%d" % (first + 1)], "disk_template": "drbd",
            "admin_state": "up", "status": "running", "tags": [],
            "be/maxmem": memory, "be/memory": memory, "oper_ram": memory,
            "be/vcpus": 1 + number % 4, "be/auto_balance": True,
            "be/spindle_use": 1, "disk.sizes": [disk], "disk.spindles": [None],
            "disk_usage": disk + 128, "os": "noop"}


def answer(tables, method, args):
    if method == "QueryClusterInfo":
        return CLUSTER
    if method == "QueryConfigValues":
        return ["made-up", "node0"]
    if method != "Query":
        return []
    rows = tables.get(args[0], [])
    return {"fields": [], "data": [
        [[0, row[f]] if f in row else [2, None] for f in args[1]]
        for row in rows]}


class Talk(socketserver.BaseRequestHandler):
    def handle(self):
        data = b""
        while True:
            while b"\3" not in data:
                chunk = self.request.recv(1 << 16)
                if not chunk:
                    return
                data += chunk
            question, data = data.split(b"\3", 1)
            self.request.sendall(self.server.answer(question) + b"\3")
            if b"be/vcpus" in question:
                self.server.model_read.set()


class Luxid(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """A cluster of that size, at the socket `path`, on threads of its own."""
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, path, nodes, instances):
        super().__init__(path, Talk)
        self.tables = {"group": [GROUP],
                       "node": [node(n) for n in range(nodes)],
                       "instance": [instance(n, nodes)
                                    for n in range(instances)]}
        self.model_read = threading.Event()
        self.known = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """Whoever asked may be gone, or killed."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def answer(self, question):
        """The cluster never changes, so neither does an answer."""
        if question not in self.known:
            asked = json.loads(question)
            self.known[question] = json.dumps({
                "success": True,
                "result": answer(self.tables, asked["method"], asked["args"]),
            }).encode()
        return self.known[question]


class Line(http.client.HTTPConnection):
    """To orderlyd's socket `path`."""

    def __init__(self, path, patience=10):
        super().__init__("localhost", timeout=patience)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def ask(path, method, target, body=None, patience=10):
    """The status, and what the JSON of the answer says."""
    line = Line(path, patience)
    try:
        line.request(method, target, body and json.dumps(body))
        reply = line.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        line.close()
