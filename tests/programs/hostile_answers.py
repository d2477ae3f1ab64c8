#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""`orderly` asks somebody who means harm: between it and an orderlyd of the demo
each answer is changed, value by value or byte by byte. It must end with a code
of its own, within a gigabyte and some seconds of a processor, and nothing of
what it prints may steer a terminal or break a line.

  tests/programs/hostile_answers.py build/bin [CASES [SEED]]
"""
import json
import os
import random
import re
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time

COMMANDS = """status;nodes;instances;decisions;explain node07;explain inst0003
advice;advice --all;errands;agents;incidents;balance;balance --dry-run;plan
power status node07;power status;health;node info;verify;ha list;ha providers
ha settings;cluster settings;pause --reason x;resume;errand abc;incident abc
repair inst0003 --type migrate;cancel abc;ack abc;forget abc
power off node07;epo node07;node modify --powered=no node07"""
# Of these `--output json` goes first, of the others it goes last.
POWER = {"power", "health", "node", "verify", "ha", "cluster", "epo"}
CODES = {0, 1, 2, 3, 4, 5, 6, 10, 124}
TEXTS = ["\x1b[2J\x1b]0;x\x07", "a\nb\rc", "\x9b31m", "\u202egnp", "\0", "",
         "x" * 200000, "<b>", "\u2028", "%s%n{}", "\x7f\b\b", "\xe9" * 300]
OTHERS = [None, True, -1, 1e308, -1 << 63, (1 << 64) - 1, [], {}, [[[[]]]],
          {"a": {"b": 1}}]
STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e"
                    "\u2066-\u2069]")
LIMIT, CPU, MEMORY = 300, 20, 1 << 30


def changed(x, dice, often):
    if dice.random() < often:
        return dice.choice(TEXTS if dice.random() < 0.4 else OTHERS)
    if isinstance(x, dict):
        return {(dice.choice(TEXTS) if dice.random() < often / 4 else key):
                changed(value, dice, often) for key, value in x.items()
                if dice.random() > often / 2}
    if isinstance(x, list):
        some = [changed(value, dice, often) for value in x]
        return some * 50 if dice.random() < often else some
    return x


def garbled(answer, dice):
    text = bytearray(answer)
    for _ in range(dice.randint(1, 5)):
        at = dice.randrange(len(text) + 1)
        how = dice.randrange(4)
        if how == 0 and at < len(text):
            text[at] ^= 1 << dice.randrange(8)
        elif how == 1:
            del text[at:at + dice.randint(1, 40)]
        else:
            text[at:at] = dice.choice((
                b"\r\n", b"\0", b"\x1b[31m", b"\xff\xfe", b"[[" * 9000,
                b"Content-Length: 99999999999999999999\r\n", b"9" * 9000))
    return bytes(text)


class Between:
    """Passes questions on, and answers as the dice have it."""

    def __init__(self, folder, real):
        self.socket, self.real = folder + "/between.sock", real
        self.dice = random.Random(0)
        self.whole = None  # the answer to everything, if there is one
        self.line = socket.socket(socket.AF_UNIX)
        self.line.bind(self.socket)
        self.line.listen(20)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            line, _ = self.line.accept()
            with line:
                try:
                    line.settimeout(LIMIT)
                    line.sendall(self.answer(line))
                except OSError:
                    pass

    def answer(self, line):
        asked = b""
        while b"\r\n\r\n" not in asked:
            asked += line.recv(1 << 16)
        head, _, body = asked.partition(b"\r\n\r\n")
        size = int(re.search(rb"Content-Length: (\d+)", head)[1])
        while len(body) < size:
            body += line.recv(1 << 16)
        if self.whole is not None:
            return sealed(self.whole, b"200 OK")
        with socket.socket(socket.AF_UNIX) as to:
            to.connect(self.real)
            to.sendall(head + b"\r\n\r\n" + body)
            told = b"".join(iter(lambda: to.recv(1 << 20), b""))
        if self.dice.random() < 0.25:
            return garbled(told, self.dice)
        said = json.loads(told.partition(b"\r\n\r\n")[2])
        said = changed(said, self.dice, self.dice.choice((.002, .02, .2, .6)))
        return sealed(said, self.dice.choice(
            (b"200 OK",) * 5 + (b"503 x", b"409 x", b"404 x", b"504 x")))


def sealed(said, status):
    body = json.dumps(said, ensure_ascii=False).encode()
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n" % (
        status, len(body)) + body


def ask(orderly, between, words):
    """Its exit code, and what is wrong with how it ended."""
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU + 1))
    try:
        done = subprocess.run(
            [orderly] + words, capture_output=True, check=False,
            timeout=LIMIT, stdin=subprocess.DEVNULL, preexec_fn=bound,
            env=os.environ | {"ORDERLY_SOCKET": between.socket})
    except subprocess.TimeoutExpired:
        return None, "it hangs"
    if done.returncode not in CODES:
        return done.returncode, "exit code %d: %s" % (
            done.returncode, done.stderr[-200:])
    try:
        steers = STEERS.search((done.stdout + done.stderr).decode())
    except UnicodeDecodeError as why:
        return done.returncode, str(why)
    if steers:
        return done.returncode, "it prints %r" % steers[0]
    return done.returncode, None


def main():
    programs, cases, seed = (sys.argv[1:] + ["400", "1"][len(sys.argv) - 2:])
    commands = [x.split() for x in COMMANDS.replace("\n", ";").split(";")]
    codes, wrong = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        real = folder + "/orderly.sock"
        daemon = subprocess.Popen(
            [programs + "/orderlyd", "--demo", "--demo-folder", folder,
             "--demo-port", "0"], stderr=subprocess.DEVNULL)
        try:
            between = Between(folder, real)
            while "right to act" not in subprocess.run(
                    [programs + "/orderly", "--socket", real, "status"],
                    capture_output=True, text=True, check=False).stdout:
                time.sleep(0.2)
            # Names without end make no table of gigabytes.
            between.whole = {"instances": [{"name": "x" * 200000}]
                             + [{"name": "y"}] * 20000}
            plan = [(0, ["instances"])]
            for case in range(int(cases)):
                dice = random.Random(int(seed) * 1000003 + case)
                words = dice.choice(commands)
                if dice.random() < 0.25:
                    json_too = ["--output", "json"]
                    words = (words + json_too if words[0] in POWER
                             else json_too + words)
                plan.append((dice.random(), words))
            for case, (thrown, words) in enumerate(plan):
                between.dice = random.Random(thrown)
                code, why = ask(programs + "/orderly", between, words)
                between.whole = None
                codes[code] = codes.get(code, 0) + 1
                if why:
                    wrong += 1
                    print("case %d, orderly %s: %s" % (case, " ".join(words),
                                                       why))
        finally:
            daemon.kill()
            daemon.wait()
    print("exit codes: %s" % codes)
    # Else nothing of it was heard.
    if codes.get(0, 0) < len(plan) / 10 or codes.get(1, 0) < len(plan) / 10:
        sys.exit("too few answers were taken, or too few refused")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
