# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What is done to an orderlyd, one function an attack. Each is called with the
siege (daemon, persons, dice, span in seconds, long or short), leaves a daemon
that runs, and returns how often it struck. For siege.py."""
import signal
import socket
import struct
import threading
import time

from siege_daemon import Defeat, requests_of_strangers


def dial(s, door="tcp", patience=5):
    """A connection to that door."""
    if door == "tcp":
        return socket.create_connection(("127.0.0.1", s.daemon.port), patience)
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(patience)
    line.connect(s.daemon.socket if door == "orders"
                 else s.daemon.folder + "/readers.sock")
    return line


def crowd(s, count, greeting, keep_talking):
    """`count` connections that never come to the point, for the whole span.
    Who is turned out comes in again."""
    end = time.monotonic() + s.span
    lines, tried = [], 0
    while time.monotonic() < end:
        while len(lines) < count:
            try:
                line = dial(s)
                line.setblocking(False)
                line.send(greeting) if greeting else None
                lines.append(line)
                tried += 1
            except OSError:
                break
        for line in list(lines):
            try:
                if keep_talking:
                    line.send(b"X-A: b\r\n")
                if line.recv(4096) == b"":
                    raise ConnectionError
            except BlockingIOError:
                pass
            except OSError:
                line.close()
                lines.remove(line)
        time.sleep(0.2)
    for line in lines:
        line.close()
    return tried


def slowloris(s):
    return crowd(s, 2000 if s.long else 300,
                 b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n", True)


def endless_heads(s):
    """Lines of headers without end, pieces of which end just behind the
    beginning of a line. Each is refused after 8 KiB, or not long after."""
    end = time.monotonic() + s.span
    tried = 0
    while time.monotonic() < end:
        lines = []
        for _ in range(20):
            try:
                line = dial(s, s.dice.choice(("tcp", "readers")))
                line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
                line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nA")
                line.setblocking(False)
                lines.append(line)
            except OSError:
                pass
        tried += len(lines)
        sent = dict.fromkeys(lines, 0)
        began = time.monotonic()
        while lines and time.monotonic() < began + 5:
            for line in list(lines):
                try:
                    sent[line] += line.send(b": " + b"b" * 4091 + b"\r\nA")
                except BlockingIOError:
                    pass
                except OSError:
                    line.close()
                    lines.remove(line)
            time.sleep(0.002)
        for line in lines:
            line.close()
        if sent and max(sent.values()) > 8 << 20:
            raise Defeat("%d MiB of one head were taken"
                         % (max(sent.values()) >> 20))
    return tried


def half_open(s):
    """Nothing is ever said; and every other one is closed on our side."""
    lines = []
    for number in range(200):
        try:
            line = dial(s)
            if number % 2:
                line.send(b"GET / HT")
                line.shutdown(socket.SHUT_WR)
            lines.append(line)
        except OSError:
            pass
    tried = crowd(s, 1000 if s.long else 200, b"", False)
    for line in lines:
        line.close()
    return tried + len(lines)


def flooder(s, door, text, end, counts, slow):
    """Asks as fast as it can, many at a time; a slow one reads nothing."""
    while time.monotonic() < end:
        try:
            with dial(s, door) as line:
                if slow:
                    line.send(text * 4)
                    time.sleep(min(3, max(0, end - time.monotonic())))
                    counts.append(4)
                    continue
                while time.monotonic() < end:
                    line.send(text * 8)
                    if not line.recv(1 << 20):
                        break
                    counts.append(8)
        except OSError:
            time.sleep(0.01)


def flood(s):
    """Every path over TCP and the readers' socket at once."""
    end = time.monotonic() + s.span
    counts = []
    tasks = []
    for text in requests_of_strangers():
        for door in ("tcp", "readers"):
            for slow in (False, True) if b"instances " in text else (False,):
                tasks.append(threading.Thread(
                    target=flooder, daemon=True,
                    args=(s, door, text, end, counts, slow)))
    for task in tasks:
        task.start()
    for task in tasks:
        task.join(s.span + 30)
    return sum(counts)


def resets(s):
    """Requests whose connection is gone before the answer."""
    end = time.monotonic() + s.span
    struck, all_of_them = 0, requests_of_strangers()
    while time.monotonic() < end:
        try:
            with dial(s) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                struct.pack("ii", 1, 0))
                line.send(s.dice.choice(all_of_them))
                if s.dice.random() < 0.3:
                    line.recv(1)
            struck += 1
        except OSError:
            time.sleep(0.01)
    return struck


def mutate(dice, text):
    text = bytearray(text)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(text) + 1)
        part = dice.randrange(5)
        if part == 0 and at < len(text):
            text[at] ^= 1 << dice.randrange(8)
        elif part == 1:
            text[at:at] = bytes([dice.randrange(256)]) * dice.choice((1, 9000))
        elif part == 2:
            del text[at:at + dice.randint(1, 40)]
        elif part == 3:
            text[at:at] = dice.choice((
                b"\r\n", b"\0", b"Content-Length: 99999999999999999999\r\n",
                b"Content-Length: -1\r\n", b"Transfer-Encoding: chunked\r\n",
                b"%00", b"{", b"[" * 5000, b"HTTP/1.1", b"Expect: 100-continue"
                b"\r\n", b"Host: evil.example\r\n", b"\xff\xfe", b"&limit=-1"))
        else:
            text[at:at] = text[dice.randrange(len(text) + 1):]
    return bytes(text)


def mutated(s):
    """Broken requests over TCP and all unix sockets, that of orders too."""
    end = time.monotonic() + s.span
    struck, all_of_them = 0, requests_of_strangers()
    while time.monotonic() < end:
        try:
            with dial(s, s.dice.choice(("tcp", "orders", "readers")),
                      0.3) as line:
                line.sendall(mutate(s.dice, s.dice.choice(all_of_them)))
                line.shutdown(socket.SHUT_WR)
                line.recv(1 << 16)
        except OSError:
            pass
        struck += 1
    return struck


def kill_loop(s):
    rounds = 40 if s.long else 8
    for _ in range(rounds):
        time.sleep(s.dice.uniform(0.05, 1.0))
        s.daemon.kill()
        s.nothing_is_lost()
        s.daemon.start()
    return rounds


def few_files(s):
    """64 descriptors and 300 strangers who want them all."""
    s.daemon.stop()
    s.daemon.start(files=64)
    tried = crowd(s, 300, b"GET / HTTP/1.1\r\n", False)
    s.persons.must_be_heard()
    s.daemon.stop()
    s.daemon.start()
    return tried


def hangups(s):
    rounds = 2000 if s.long else 300
    for _ in range(rounds):
        s.daemon.process.send_signal(signal.SIGHUP)
        time.sleep(0.002)
    return rounds


def terms(s):
    rounds = 10 if s.long else 3
    for _ in range(rounds):
        time.sleep(s.dice.uniform(0.1, 0.5))
        for _ in range(50):
            if s.daemon.lives():
                s.daemon.process.send_signal(signal.SIGTERM)
        s.daemon.exits(30, 0)
        s.nothing_is_lost()
        s.daemon.start()
    return 50 * rounds
