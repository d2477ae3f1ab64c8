# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""The real cluster that the test breaks: ../ganeti.sh and its LUXI socket."""
import json
import os
import re
import socket
import subprocess
import time

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                      "ganeti.sh")
DOMAIN = ".gnt.test"
PREFIX = "ganeti:watcher:autorepair:"
SOURCE = "gnt:daemon:maintd"


class Failed(Exception):
    """A step of the test found something that must not be."""


def full(name):
    return name + DOMAIN


class Bed:
    """One testbed, by its folder."""

    def __init__(self, folder):
        self.folder = folder
        self.socket = folder + "/nodes/node1/run/ganeti/socket/ganeti-query"
        self.environ = dict(os.environ, TESTBED_DIR=folder)
        self.sent = set()  # jobs of the test itself

    def restore(self):
        """Back to the healthy cluster; numbers of jobs begin anew."""
        self.call("restore")
        self.sent = set()

    def call(self, *args, check=True, limit=300):
        """Runs a verb of ganeti.sh; its output."""
        done = subprocess.run(
            [SCRIPT, *args], env=self.environ, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=limit, check=False)
        if check and done.returncode != 0:
            raise Failed("ganeti.sh %s: exit %d: %s" % (
                " ".join(args), done.returncode, done.stdout.strip()[-600:]))
        return done.stdout

    def possible(self):
        """Why no testbed can run here, or an empty text."""
        done = subprocess.run([SCRIPT, "check"], env=self.environ, text=True,
                              stdout=subprocess.PIPE, check=False)
        return done.stdout.strip() if done.returncode == 77 else ""

    def master(self, *command):
        """Runs a command on the master node; its output."""
        return self.call("on", "node1", *command)

    def luxi(self, method, args):
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(60)
            sock.connect(self.socket)
            sock.sendall(json.dumps({"method": method, "args": args,
                                     "version": 3000000}).encode() + b"\3")
            data = b""
            while not data.endswith(b"\3"):
                chunk = sock.recv(1 << 16)
                if not chunk:
                    raise OSError("luxid closed the connection")
                data += chunk
        reply = json.loads(data[:-1])
        if not reply["success"]:
            raise Failed("luxid refused %s: %s" % (method, reply["result"]))
        return reply["result"]

    def query(self, what, fields, where=None):
        """Rows as dictionaries; a field without a value is None."""
        rows = self.luxi("Query", [what, fields, where])["data"]
        return [{f: cell[1] for f, cell in zip(fields, row)} for row in rows]

    def instances(self):
        rows = self.query("instance", ["name", "status", "pnode", "snodes",
                                       "tags", "disk_template"])
        return {row["name"].split(".")[0]: row for row in rows}

    def tags(self, name):
        """Of an instance, without asking its node."""
        return self.query("instance", ["tags"],
                          ["=", "name", full(name)])[0]["tags"]

    def node(self, name):
        return self.query("node", ["name", "offline", "drained", "powered"],
                          ["=", "name", full(name)])[0]

    def send(self, *ops):
        """One job of the test itself; its id."""
        trail = [["test", "by hand", time.time_ns()]]
        number = self.luxi("SubmitJob", [[dict(op, reason=trail)
                                          for op in ops]])
        self.sent.add(number)
        return number

    def do(self, *ops, limit=90):
        """The same, and waits until it has ended well."""
        number = self.send(*ops)

        def ended():
            row = self.query("job", ["status", "opresult", "end_ts"],
                             ["=", "id", number])[0]
            return row if row["end_ts"] else None
        row = wait_until(limit, "job %d of the test ends" % number, ended)
        if row["status"] != "success":
            raise Failed("job %d of the test (%s) ended with %s: %s" % (
                number, ", ".join(op["OP_ID"] for op in ops), row["status"],
                row["opresult"]))

    def mark(self, name, **flags):
        """Flags of a node: drained, offline, powered."""
        self.do({"OP_ID": "OP_NODE_SET_PARAMS", "node_name": full(name),
                 "auto_promote": True, **flags})

    def lose(self, name):
        """A node is off, and marked so. The mark first: while a candidate is
        silent and not marked, each job takes many seconds."""
        self.mark(name, offline=True, powered=False)
        self.call("power", "off", name)

    def faults(self):
        """What `gnt-cluster verify` complains of, without its wording."""
        text = self.call("on", "node1", "gnt-cluster", "verify",
                         "--error-codes", check=False)
        if "Verifying" not in text:
            raise Failed("gnt-cluster verify says: " + text.strip()[-300:])
        return set(re.findall(r"- (?:ERROR|WARNING):(\w+:\w+:\S+?):", text))

    def jobs(self, after=0):
        """All jobs with a larger id, in order, also archived ones."""
        fields = ["id", "status", "ops", "summary", "received_ts",
                  "start_ts", "end_ts", "opexec"]
        found = {row["id"]: row for row in self.query("job", fields)}
        last = max(found, default=0)
        for number in range(1, last + 1):
            if number not in found:
                for row in self.query("job", fields, ["=", "id", number]):
                    if row["status"] is not None:
                        found[number] = row
        return [found[number] for number in sorted(found) if number > after]

    def last_job(self):
        return max((row["id"] for row in self.query("job", ["id"])), default=0)

    def wait_idle(self, seconds):
        self.call("luxi", "wait-idle", str(seconds))

    def add_tag(self, kind, name, tag):
        self.do(tag_op("OP_TAGS_SET", kind, name, tag))

    def remove_tag(self, kind, name, tag):
        self.do(tag_op("OP_TAGS_DEL", kind, name, tag))

    def tags_of(self, kind, name=""):
        """Of the cluster, a group or an instance."""
        if kind == "cluster":
            return self.luxi("QueryClusterInfo", [])["tags"]
        return self.query(kind, ["tags"], ["=", "name", name])[0]["tags"]


def tag_op(code, kind, name, tag):
    return {"OP_ID": code, "tags": [tag], "name": name or None,
            "kind": "nodegroup" if kind == "group" else kind}


def trail_of(opcode):
    """The text that orderly put into an opcode's reason trail, or None."""
    for source, text, _ in opcode.get("reason") or []:
        if source == SOURCE:
            return text
    return None


# A limit only ends what hangs. Those below are said for an idle machine.
SLOWEST = 4


def wait_until(seconds, what, probe, pause=0.2, story=None):
    """Waits until `probe` gives something true and returns that. If it does
    not, `story` tells how far things came."""
    seconds *= SLOWEST
    end = time.monotonic() + seconds
    while True:
        found = probe()
        if found:
            return found
        if time.monotonic() > end:
            raise Failed("not within %d s: %s%s" % (
                seconds, what, "; " + story() if story else ""))
        time.sleep(pause)
