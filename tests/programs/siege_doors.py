# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Who else wants the ways in of an orderlyd, and who looks after them; and
readers who take nothing away. Each attack is as in siege_attacks.py."""
import json
import os
import select
import socket
import sys
import time

from made_up_cluster import Line, instance
from siege_attacks import dial
from siege_daemon import Defeat, until


def through_readers(s, path):
    line = Line(s.daemon.folder + "/readers.sock")
    try:
        line.request("GET", path)
        return line.getresponse().read().decode("utf-8", "replace")
    finally:
        line.close()


def squatted(s):
    """Another program had the port first: that is told, orderlyd lives, watches
    and takes orders, and has the port once it is free."""
    s.daemon.stop()
    told = s.daemon.log_size()
    rounds = 3 if s.long else 1
    for _ in range(rounds):
        s.daemon.kill()
        # Some client's own end may have that number for a moment.
        with until(lambda: socket.create_server(("127.0.0.1", s.daemon.port)),
                   60, "the port is not free"):
            s.daemon.launch()
            until(lambda: not s.daemon.lives()
                  or s.daemon.status()["right_to_act"]["held"], 60,
                  "the cluster is not read")
            if not s.daemon.lives():
                raise Defeat("a port that is taken ended it: "
                             + s.daemon.last_words())
            s.persons.must_be_heard()
            until(lambda: 'orderly_door_open{door="tcp"} 0'
                  in through_readers(s, "/metrics"), 10, "no metric tells of it")
            until(lambda: "door-closed" in through_readers(
                s, "/2/decisions?limit=500"), 10, "no alert tells of it")
            if not any(" http door-closed: " in x
                       for x in s.daemon.log_since(told)):
                raise Defeat("the log does not tell of it")
            suspects(s)
        s.daemon.serves(60)
    return rounds


def suspects(s):
    """Host HA is at work: a node that goes away is suspected."""
    s.decisions.begin()
    if s.decisions.slowest() > 30:
        raise Defeat("a node that went away was not suspected")


# As systemd does it: the sockets are 3 and so on, and the environment says so.
LISTEN = """\
import os, sys
count = int(sys.argv[1])
for at, held in enumerate(sys.argv[2:2 + count]):
    os.dup2(int(held), 100 + at)
for at in range(count):
    os.dup2(100 + at, 3 + at)
    os.close(100 + at)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(count))
os.execv(sys.argv[2 + count], sys.argv[2 + count:])
"""


def held_for_it(s):
    """What `orderlyd.socket` holds: both doors, from before it starts."""
    tcp = until(lambda: socket.create_server(("127.0.0.1", s.daemon.port)), 60,
                "the port is not free")
    orders = socket.socket(socket.AF_UNIX)
    if os.path.exists(s.daemon.socket):
        os.remove(s.daemon.socket)
    orders.bind(s.daemon.socket)
    os.chmod(s.daemon.socket, 0o600)
    orders.listen(128)
    return [tcp, orders]


def activated(s):
    """Somebody holds the places for it. They are nobody else's while it is not
    there, whoever comes meanwhile is answered later, and it makes no others."""
    s.daemon.stop()
    rounds = 5 if s.long else 2
    held = held_for_it(s)
    place = os.stat(s.daemon.socket).st_ino
    fds = [line.fileno() for line in held]
    through = [sys.executable, "-c", LISTEN, str(len(fds))] + [
        str(fd) for fd in fds]
    try:
        for how in range(rounds):
            early = [dial(s, door, 60) for door in ("tcp", "orders")]
            for line in early:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
                             b"Connection: close\r\n\r\n")
            s.daemon.start(through=through, pass_fds=fds)
            for line in early:
                with line:
                    if not line.recv(1 << 16).startswith(b"HTTP/1.1 "):
                        raise Defeat("who came early was not answered")
            s.persons.must_be_heard()
            if os.stat(s.daemon.socket).st_ino != place:
                raise Defeat("it made a socket of its own")
            s.daemon.kill() if how % 2 else s.daemon.stop()
            if not os.path.exists(s.daemon.socket):
                raise Defeat("it removed a socket that is not its own")
    finally:
        for line in held:
            line.close()
    s.daemon.start()
    return rounds


# --- readers who take nothing away --------------------------------------------

UNREAD = ["/2/instances", "/2/nodes", "/2/advice?all=1", "/status.html",
          "/metrics", "/2/decisions?limit=500", "/1/status"]


def is_over(line):
    look = select.poll()
    look.register(line, select.POLLRDHUP | select.POLLERR)
    return bool(look.poll(0))


def unread(s):
    """Answers of all kinds, most of them nobody else's, that are asked for and
    never read, while the cluster changes."""
    texts = [("GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (path, more)
              ).encode() * 16
             for path in UNREAD + ["/2/instances?limit=%d" % count
                                   for count in range(50, 450)]
             for more in ("", "Accept-Encoding: gzip\r\n")]
    tried, lines = 0, []
    end = time.monotonic() + s.span
    while time.monotonic() < end:
        while len(lines) < 200:
            try:
                line = dial(s, ("tcp", "readers")[tried % 2])
                line.setblocking(False)
                line.send(s.dice.choice(texts))
                lines.append(line)
                tried += 1
            except OSError:
                break
        for line in [x for x in lines if is_over(x)]:
            line.close()
            lines.remove(line)
        change(s)
        time.sleep(0.1)
    for line in lines:
        line.close()
    return tried


def change(s, moved=20):
    """Some instances are others, from the next picture on."""
    rows = s.luxid.tables["instance"]
    for row in s.dice.sample(rows, min(moved, len(rows))):
        row["be/vcpus"] = 1 + row["be/vcpus"] % 9
    s.luxid.known.clear()


def pages(s):
    """Lists that are read page by page, while instances come and go: whoever
    was there all the while is on one page, and nobody is on two."""
    rows, walks, shown = s.luxid.tables["instance"], 0, set()
    kept = list(rows)
    stay = {row["name"] for row in rows}
    end = time.monotonic() + min(s.span, 60)
    try:
        while time.monotonic() < end:
            seen, after = [], ""
            while after is not None:
                number = s.dice.randrange(5000, 6000)
                if len(rows) > len(kept) + 50:
                    rows.pop()
                else:
                    rows.append(instance(number, s.size[0]) | {
                        "name": "inst%d.%d" % (number, len(rows))})
                change(s, 5)
                page = json.loads(s.daemon.get(
                    "/2/instances?limit=%d%s" % (
                        s.dice.randint(len(kept) // 10, len(kept) // 3), after)
                    )[1])
                seen += [row["name"] for row in page["instances"]]
                after = page.get("cursor")
                after = after and "&cursor=" + after
                time.sleep(0.05)
            if len(set(seen)) != len(seen) or not stay <= set(seen):
                raise Defeat("of %d instances %d were shown, %d twice" % (
                    len(stay), len(stay & set(seen)),
                    len(seen) - len(set(seen))))
            shown |= set(seen)
            walks += 1
        if shown == stay:
            raise Defeat("nothing changed while lists were read")
    finally:
        rows[:] = kept
        s.luxid.known.clear()
    return walks
