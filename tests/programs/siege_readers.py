# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Broken requests at the readers of orderlyd alone, built under address and
undefined sanitizers: what the daemon survives by luck ends these. For
siege.py."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

from siege_attacks import mutate
from siege_daemon import Defeat, requests_of_strangers

ERRANDS = [
    {"kind": "power-off", "nodes": ["node1", "node2"], "reason": "siege"},
    {"kind": "power-cycle", "groups": ["default"], "force": True,
     "steps": [{"node": "node1", "wait": 5}, None, 1e400, "\u2028"]},
    {"reason": "stranger", "reason2": [[[[[[[[[[1]]]]]]]]]]},
]


def requests(dice):
    """Whole ones, and such whose body alone is broken."""
    if dice.random() < 0.5:
        return mutate(dice, dice.choice(requests_of_strangers()))
    body = mutate(dice, json.dumps(dice.choice(ERRANDS)).encode())[:60000]
    return (b"POST /2/errands HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            % (len(body), body))


def throw(s, folder, port):
    """By TCP and by the unix socket, in one piece or in several."""
    if s.dice.random() < 0.5:
        line = socket.create_connection(("127.0.0.1", port), 0.3)
    else:
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(0.3)
        line.connect(folder + "/orders")
    with line:
        text = b"".join(requests(s.dice)
                        for _ in range(s.dice.choice((1, 1, 4))))
        middle = s.dice.randrange(len(text) + 1)
        line.sendall(text[:middle])
        line.sendall(text[middle:])
        line.shutdown(socket.SHUT_WR)
        while line.recv(1 << 16):
            pass


def sanitized(s):
    folder, struck = tempfile.mkdtemp(), 0
    with open(folder + "/said", "wb") as said:
        victim = subprocess.Popen(
            [s.readers, folder], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=said,
            # A connection that is open at the end is nobody's any more. Whether
            # closed ones are given back the daemon's memory tells.
            env=os.environ | {"UBSAN_OPTIONS": "print_stacktrace=1",
                              "ASAN_OPTIONS": "detect_leaks=0"})
    port = int(victim.stdout.readline())
    end = time.monotonic() + s.span
    while time.monotonic() < end and victim.poll() is None:
        try:
            throw(s, folder, port)
        except OSError:
            pass
        struck += 1
    victim.stdin.close()
    code = victim.wait(60)
    with open(folder + "/said", encoding="utf-8", errors="replace") as file:
        text = file.read()
    shutil.rmtree(folder)
    if code != 0 or text:
        raise Defeat("readers ended with %d: %s" % (code, text[:300]))
    return struck
