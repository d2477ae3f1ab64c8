# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""The nodes of a made-up cluster as an orderlyd sees them from outside: a node
daemon that accepts, a monitor that answers, a helper that tells of the power;
each can be told to misbehave. For siege.py."""
import os
import selectors
import socket
import threading
import time

from made_up_cluster import node

REPORT = b'{"name": "cpu-avg-load", "data": {"cpu_total": 1.5}}'


def answer_of(body, status=b"200 OK"):
    return (b"HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            % (status, len(body), body))


def honest(line, asked, monitors):
    return answer_of(REPORT if b"/1/report" in asked else b"[1]")


def address_of(number):
    """On this machine, and nobody else's."""
    return "127.0.%d.%d" % (1 + number // 250, 1 + number % 250)


def records(count):
    return [node(n) | {"pip": address_of(n)} for n in range(count)]


def listen(number, port):
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    line.bind((address_of(number), port))
    line.listen(64)
    line.setblocking(False)
    return line


class Daemons:
    """A port at each node's address that accepts, and no more; one that is
    dark is refused."""

    def __init__(self, count, port):
        self.port, self.guard = port, threading.Lock()
        self.lines, self.touched = {}, {}
        self.watched = selectors.DefaultSelector()
        for number in range(count):
            self.light(number)
        threading.Thread(target=self.work, daemon=True).start()

    def light(self, number):
        with self.guard:
            if number not in self.lines:
                self.lines[number] = listen(number, self.port)
                self.watched.register(self.lines[number],
                                      selectors.EVENT_READ, number)

    def darken(self, number):
        with self.guard:
            line = self.lines.pop(number)
            self.watched.unregister(line)
            line.close()

    def work(self):
        while True:
            for key, _ in self.watched.select(0.2):
                try:
                    key.fileobj.accept()[0].close()
                    self.touched[key.data] = time.monotonic()
                except OSError:
                    pass  # it is dark by now


class Monitors:
    """One for all nodes; in a mood like a luxid's (siege_luxid.py)."""

    def __init__(self, port):
        self.mood, self.asked = honest, 0
        self.line = socket.create_server(("0.0.0.0", port), backlog=512)
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        while True:
            line = self.line.accept()[0]
            threading.Thread(target=self.serve, args=(line,),
                             daemon=True).start()

    def serve(self, line):
        try:
            with line:
                line.settimeout(60)
                asked = line.recv(4096)
                self.asked += 1
                answer = self.mood(line, asked, self)
                if answer is not None:
                    line.sendall(answer)
        except OSError:
            pass


HONEST_HELPER = """\
case $1 in
  power-status) echo '{"powered": true}' ;;
  health) echo '[]' ;;
esac
"""


class Helper:
    """The program for all controllers; what it does can be exchanged."""

    def __init__(self, folder):
        self.path = folder + "/oob"
        self.behave(HONEST_HELPER)

    def behave(self, script):
        new = self.path + ".new"
        with open(new, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(new, 0o700)
        os.rename(new, self.path)  # nobody sees half of it
