# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What those do to an orderlyd whom it asks: luxid, monitors, helpers. Each
attack is as in siege_attacks.py."""
import os
import re
import time

import siege_luxid
import siege_nodes
from made_up_cluster import ask
from siege_daemon import Defeat, until

LINES_MOST = 12  # of log, beside what persons did, for each mood
LINE_LONGEST = 4000  # bytes


def still_serves(s, mood):
    if not s.daemon.lives():
        raise Defeat("%s: %s" % (mood, s.daemon.last_words()))
    if s.daemon.get("/healthz") != (200, "ok\n"):
        raise Defeat("%s: /healthz fails" % mood)
    s.persons.must_be_heard()


def few_lines(s, mood, told, most=LINES_MOST):
    lines = s.daemon.log_since(told)
    if len(lines) > most:
        raise Defeat("%s: %d lines of log: %s" % (mood, len(lines),
                                                  lines[-1][:200]))
    longest = max(lines, key=len, default="")
    if len(longest) > LINE_LONGEST:
        raise Defeat("%s: a line of %d bytes: %s" % (mood, len(longest),
                                                     longest[:200]))
    return lines


def suffer_luxid(s, mood):
    """It says what is wrong, serves all the while, and comes back."""
    luxid, daemon, name = s.luxid, s.daemon, mood.__name__
    told, asked = daemon.log_size(), luxid.asked
    luxid.mood = mood
    try:
        if mood not in siege_luxid.PASSABLE:
            until(lambda: daemon.status()["poll_error"], 30,
                  "%s: nothing says that luxid is not understood" % name)
        until(lambda: luxid.asked > asked + 6 or not daemon.lives(), 30,
              "%s: luxid is not asked any more" % name)
        time.sleep(s.mood_span)
        still_serves(s, name)
        if s.long:
            figures(s)
    finally:
        luxid.mood = siege_luxid.honest
    until(lambda: not daemon.status()["poll_error"], 60,
          "%s: still not read, though luxid is honest again" % name)
    daemon.serves(60)
    if mood not in siege_luxid.PASSABLE:
        few_lines(s, name, told)
    return luxid.asked - asked


def luxid(s):
    told = s.daemon.log_size()
    s.allowance, s.kept = siege_luxid.MIB_TOLD, siege_luxid.MIB_LEFT
    moods = siege_luxid.MOODS if s.long else siege_luxid.FEW
    struck = sum(suffer_luxid(s, mood) for mood in moods)
    if not any("the cluster cannot be read: " in x
               for x in s.daemon.log_since(told)):
        raise Defeat("the log does not say what is wrong with luxid")
    return struck


# --- monitors ----------------------------------------------------------------


def figures(s):
    """Asks for a plan of moves, for which luxid and all monitors are read."""
    try:
        return ask(s.daemon.socket, "POST", "/2/balance/plan", {}, 20)[0]
    except ValueError:  # no JSON
        return 0


def garbage(line, asked, monitors):
    return os.urandom(3000)


def silence(line, asked, monitors):
    while monitors.mood is silence:
        time.sleep(0.05)


def trickle(line, asked, monitors):
    for byte in siege_nodes.answer_of(siege_nodes.REPORT):
        line.sendall(bytes([byte]))
        if monitors.mood is not trickle:
            return
        time.sleep(0.05)


def hang_up(line, asked, monitors):
    return b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n[1"


def endless_head(line, asked, monitors):
    while monitors.mood is endless_head:
        line.sendall(b"X-A: %s\r\n" % (b"a" * 9000))


def endless_lines(line, asked, monitors):
    """Each piece of 512 bytes, as much as we read at once, ends just behind the
    beginning of a line."""
    line.sendall(b"HTTP/1.1 200 OK\r\nX")
    time.sleep(0.05)  # it is read by itself
    while monitors.mood is endless_lines:
        line.sendall((b"-A: %s\r\nX" % (b"a" * 505)) * 64)


def wordy(line, asked, monitors):
    """No JSON, and all of it is what is wrong with it."""
    text = b'{"\xc2\x9b31m' + b"A" * 200_000 + b"\x01"
    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s"
                 % (len(text), text))


def endless_body(line, asked, monitors):
    line.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while monitors.mood is endless_body:
        line.sendall(b"2000\r\n%s\r\n" % (b"[" * 0x2000))


def cut_chunks(line, asked, monitors):
    """The last chunk is the first one, and comes in pieces."""
    for piece in (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                  b"0\r\n", b"\r", b"\n"):
        line.sendall(piece)
        time.sleep(0.1)


def nested(line, asked, monitors):
    return siege_nodes.answer_of(b"[" * 200000)


def odd_numbers(line, asked, monitors):
    return siege_nodes.answer_of(
        b'{"name": "cpu-avg-load", "data": {"cpu_total": 1e999, '
        b'"cpu_total": -1, "\xff": NaN}}')


def elsewhere(line, asked, monitors):
    return (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n"
            b"Content-Length: 0\r\n\r\n")


MONITOR_MOODS = [garbage, silence, trickle, hang_up, endless_head, endless_lines, wordy,
                 endless_body, cut_chunks, nested, odd_numbers, elsewhere]


def monitors(s):
    """What a monitor says makes no node suspect: its node daemon answers."""
    told, asked = s.daemon.log_size(), s.monitors.asked
    for mood in MONITOR_MOODS:
        s.monitors.mood = mood
        try:
            time.sleep(s.mood_span)
            if figures(s) == 0:
                raise Defeat("%s: no answer to a plan" % mood.__name__)
            still_serves(s, mood.__name__)
        finally:
            s.monitors.mood = siege_nodes.honest
    lines = few_lines(s, "monitors", told, LINES_MOST * len(MONITOR_MOODS))
    bad = [x for x in lines if " suspect: " in x]
    if bad:
        raise Defeat("a monitor made a node suspect: " + bad[0])
    return s.monitors.asked - asked


# --- helpers -----------------------------------------------------------------

MARK = "86421"  # seconds that nobody else sleeps
HELPERS = {
    "floods": "exec yes '{\"powered\": true}'\n",
    "floods both": "yes no >&2 & exec yes '{'\n",
    "hangs": "trap '' TERM HUP INT\nwhile :; do sleep %s; done\n" % MARK,
    "leaves children": "for i in 1 2 3 4 5 6 7 8; do setsid sleep %s & done\n"
                       "echo '{\"powered\": true}'\n" % MARK,
    "leaves a chain": "CHAIN='[ $0 -gt 0 ] && { setsid sh -c \"$CHAIN\" "
                      "$(($0 - 1)) & wait; }; exec sleep %s'\nexport CHAIN\n"
                      "setsid sh -c \"$CHAIN\" 6 >&- 2>&- <&- &\nsleep 0.2\n"
                      "echo '{\"powered\": true}'\n" % MARK,
    "closes its ends": "exec >&- 2>&-\nexec sleep %s\n" % MARK,
    "stops": "kill -STOP $$\n",
    "dies": "kill -SEGV $$\n",
    "garbage": "head -c 300000 /dev/urandom\n",
    "is of two minds": "echo '{\"powered\": true}{\"powered\": false}'\n",
    "is nested": "head -c 200000 /dev/zero | tr '\\0' '['\n",
    "fails in no language": "printf '\\377\\376\\033[2J' >&2\nexit 1\n",
    "reads": "cat\n",
    "fails to start": "exec /nix\n",
}


def sleepers():
    """Processes that a helper has left."""
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                found += file.read() == b"sleep\0%s\0" % MARK.encode()
        except OSError:
            pass
    return found


def suffer_helpers(s, cases):
    """Nodes go away, so that their power is asked for; nothing may come of it
    but a sentence each."""
    told = s.daemon.log_size()
    s.helper.behave("case $2 in\n" + "".join(
        "node%d)\n%s;;\n" % (node, HELPERS[name])
        for node, name in cases.items()) + "esac\n")

    def are_told(what):
        lines = s.daemon.log_since(told)
        return [node for node in cases if any(
            re.search(r" node:node%d (\[\S+\] )?%s: " % (node, what), x)
            for x in lines)]
    names = "helpers: " + ", ".join(cases.values())
    for node in cases:
        s.daemons.darken(node)
    try:
        until(lambda: len(are_told("suspect")) == len(cases), 60,
              names + ": not all nodes are suspected")
        time.sleep(max(s.mood_span, 1.5))
        still_serves(s, names)
    finally:
        for node in cases:
            s.daemons.light(node)
        s.helper.behave(siege_nodes.HONEST_HELPER)
    until(lambda: len(are_told("available")) == len(cases), 60,
          names + ": nodes stay suspected")
    # What a luxid that lied before has left to tell of each node comes late.
    few_lines(s, names, told, 3 * LINES_MOST * len(cases) + 2 * s.size[0])
    if are_told("fencing") + are_told("fenced"):
        raise Defeat(names + ": a node was fenced")


def helpers(s):
    """Three at once, as more nodes in trouble would be a storm."""
    names = list(HELPERS)[::1 if s.long else 2]
    for first in range(0, len(names), 3):
        cases = {1 + first + k: name
                 for k, name in enumerate(names[first:first + 3])}
        suffer_helpers(s, cases)
    until(lambda: sleepers() == 0, 60, lambda:
          "%d processes of helpers are left" % sleepers())
    return len(names)
