# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""A luxid that answers as it likes: a mood is what becomes of an answer that
would have been honest. For siege.py."""
import json
import random
import socketserver
import sys
import threading
import time

from made_up_cluster import Luxid

END = b"\3"
NESTED = 200_000  # far more than a stack would bear
MIB = 1 << 20
# What it may make orderlyd keep for a moment: 128 MiB of replies that came in
# part, or eight million values and the text they came in.
MIB_TOLD = 512
# What tens of thousands of instances that were told of once leave with the
# allocator; more of them leave no more.
MIB_LEFT = 64


def cell_of(answer, value):
    """The answer with `value` in the last cell of each row of its table; its
    JSON is written by hand, as no writer goes so deep."""
    reply = json.loads(answer)
    result = reply["result"]
    rows = result.get("data") if isinstance(result, dict) else None
    if not rows:
        return b'{"success":true,"result":%s}' % value
    rows[0][-1] = [0, "PLACE"]
    return json.dumps(reply).encode().replace(b'"PLACE"', value)


def spoil(dice, value):
    """Another type here and there, at any depth."""
    others = (None, True, -1, 1 << 63, 1e308, "", "\0", "\ud800", [], {},
              [[]], "x" * 5000)
    if dice.random() < 0.02:
        return dice.choice(others)
    if isinstance(value, list):
        return [spoil(dice, x) for x in value]
    if isinstance(value, dict):
        return {key: spoil(dice, x) for key, x in value.items()}
    return value


# --- moods: they get the line, the honest answer and the luxid; what they
# return is sent and ends a frame; None: nothing more, and the line is closed.


def honest(line, answer, luxid):
    return answer


def cut(line, answer, luxid):
    line.sendall(answer[:luxid.dice.randrange(len(answer))])


def garbage(line, answer, luxid):
    return luxid.dice.randbytes(2000).replace(END, b"") + answer[:50]


def no_answer_of_ours(line, answer, luxid):
    return luxid.dice.choice((b"", b"{]", b"null", b"[]", b"{}", b'"yes"',
                              b'{"success":1,"result":[]}',
                              b'{"success":true}', b'{"result":[]}'))


def wrong_types(line, answer, luxid):
    return json.dumps(spoil(luxid.dice, json.loads(answer))).encode()


def nested(line, answer, luxid):
    deep = b"[" * NESTED + b"]" * NESTED
    return luxid.dice.choice((
        b"[" * NESTED, b'{"success":true,"result":' + deep + b"}",
        b'{"a":' * NESTED + b"1" + b"}" * NESTED, cell_of(answer, deep),
        b'{"success":false,"result":["OpPrereqError",[' + deep + b"]]}"))


def too_long(line, answer, luxid):
    """A gibibyte, if nobody hangs up."""
    line.sendall(b'{"success":true,"result":"')
    for _ in range(1024):
        line.sendall(b"x" * MIB)


def many_values(line, answer, luxid):
    """Short for what it costs to keep; just what is taken."""
    return b'{"success":true,"result":[' + b"0," * 7_900_000 + b"0]}"


def trickle(line, answer, luxid):
    for at in range(len(answer)):
        line.sendall(answer[at:at + 1])
        if luxid.mood is not trickle:
            return None
        time.sleep(0.05)
    return b""


def silence(line, answer, luxid):
    while luxid.mood is silence:
        time.sleep(0.05)


def other_question(line, answer, luxid):
    known = list(luxid.known.values())
    return luxid.dice.choice([x for x in known if x != answer] or [b"{}"])


def twice(line, answer, luxid):
    return answer + END + answer


def unasked(line, answer, luxid):
    """More is on the way when the next question comes."""
    line.sendall(answer + END)
    return answer[:100]


def no_text(line, answer, luxid):
    return answer.replace(b"node", b"no\xc3\xff\xfe").replace(
        b"inst", b"\xed\xa0\x80")


def doubled_keys(line, answer, luxid):
    return b'{"success":false,"result":["GenericError",["no"]],' + answer[1:]


def refusal(line, answer, luxid):
    return luxid.dice.choice((
        b'{"success":false,"result":["JobQueueDrainError",["%s"]]}'
        % (b"no" * 100000),
        b'{"success":false,"result":null}',
        b'{"success":false,"result":["\\u001b[2J\\r\\n<script>",["a","b"]]}'))


def empty(line, answer, luxid):
    reply = json.loads(answer)
    if isinstance(reply["result"], dict) and "data" in reply["result"]:
        reply["result"]["data"] = []
    return json.dumps(reply).encode()


def lies(line, answer, luxid):
    """Another cluster each time: names, states and the master change."""
    luxid.lied += 1
    number = str(luxid.dice.randrange(1000)).encode()
    answer = answer.replace(b"true", luxid.dice.choice((b"true", b"false")))
    if luxid.dice.random() < 0.5:
        answer = answer.replace(b'"inst', b'"i%s-' % number)
    if luxid.dice.random() < 0.3:
        answer = answer.replace(b'"node', b'"n%s-' % number)
    return answer.replace(b'{"false"', b'{"true"').replace(
        b'"success": false', b'"success": true')


MOODS = [cut, garbage, no_answer_of_ours, wrong_types, nested, too_long,
         many_values, trickle, silence, other_question, twice, unasked,
         no_text, doubled_keys, refusal, empty, lies]
FEW = [cut, garbage, wrong_types, nested, too_long, silence, no_text, lies]
# With these a reading may well succeed: what was told is a cluster.
PASSABLE = {twice, unasked, wrong_types, no_text, empty, lies}


class Talk(socketserver.BaseRequestHandler):
    def handle(self):
        luxid, data = self.server, b""
        while True:
            while END not in data:
                chunk = self.request.recv(1 << 16)
                if not chunk:
                    return
                data += chunk
            question, data = data.split(END, 1)
            with luxid.guard:
                luxid.asked += 1
            answer = luxid.mood(self.request, luxid.answer(question), luxid)
            if answer is None:
                return
            self.request.sendall(answer + END)


class MoodyLuxid(Luxid):
    def __init__(self, path, nodes, instances, seed):
        self.mood, self.dice = honest, random.Random(seed)
        self.asked = self.lied = 0
        self.guard = threading.Lock()
        super().__init__(path, nodes, instances)
        self.RequestHandlerClass = Talk

    def handle_error(self, request, client_address):
        """Whoever asked has had enough, or is gone."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)
