#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""An orderly-agent with few open files answers the candidates and runs its
commands amid strangers who say nothing, or says at its start which limit to
raise. With too little memory, at its start or later, it goes on answering or
ends with a sentence and the code 1, by which systemd starts it again; it is
never there without being there for anybody.

  tests/programs/limits/agent_limits.py build/bin/orderly-agent

Exit code 0: all is well; 1: not; 77: cannot be tried here.
"""
import concurrent.futures
import fcntl
import http.client
import os
import re
import resource
import select
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from agent import Agent, certificate, expect, write

MIB = 1 << 20
LOADER = 127  # of libraries: it was not begun at all
FILES_MIN = 32
STRANGERS = 1200
STRANGE = "192.0.2.1"  # their address, and ours to them
INSIDE = "ORDERLY_AGENT_LIMITS_INSIDE"
AWAY = 0.1  # seconds between what a candidate hears and says, far away


class Strangers:
    """So many connections that say nothing, or half of a greeting; who is put
    out comes again."""

    def __init__(self, port, count):
        self.port, self.count, self.came = port, count, 0
        self.lines = {}
        self.poll = select.poll()

    def press(self):
        for number, _ in self.poll.poll(0):
            self.leave(number)
        for _ in range(50):
            if len(self.lines) >= self.count:
                return
            line = socket.socket()
            line.setblocking(False)
            try:
                line.connect((STRANGE, self.port))
            except BlockingIOError:
                pass
            except OSError:
                line.close()
                continue
            self.came += 1
            self.lines[line.fileno()] = line
            self.poll.register(line, select.POLLIN | select.POLLHUP)

    def leave(self, number):
        self.poll.unregister(number)
        self.lines.pop(number).close()

    def go(self):
        for number in list(self.lines):
            self.leave(number)


def answered(agent):
    try:
        return agent.get("/") == (200, "[1]")
    except (OSError, http.client.HTTPException):
        return False


def answered_from_afar(agent):
    """Greets at its own pace, while others come and go."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(agent.folder + "/ganeti/asker.pem")
    heard, said = ssl.MemoryBIO(), ssl.MemoryBIO()
    talk = context.wrap_bio(heard, said)

    def turn():
        time.sleep(AWAY)
        line.sendall(said.read())

    with socket.create_connection(("127.0.0.1", agent.port), 10) as line:
        for step in (talk.do_handshake, lambda: talk.write(
                b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"), lambda: talk.read(12)):
            while True:
                try:
                    got = step()
                    break
                except ssl.SSLWantReadError:
                    turn()
                    more = line.recv(65536)
                    if not more:
                        return False
                    heard.write(more)
        return got == b"HTTP/1.1 200"


def soon(question, agent):
    """A machine with other work may be slower than the agent waits for; who is
    put out comes again, as a collector does."""
    for _ in range(3):
        try:
            if question(agent):
                return True
        except OSError:
            pass
    return False


def has_run(agent):
    """Its command, lately."""
    try:
        said = agent.diagnosis()
    except (OSError, ValueError, http.client.HTTPException):
        return False
    return said["data"].get("n") == 7 and said["age_ms"] < 3000


def files(program, folder):
    for count in (5, 8, 12, 16, 24, FILES_MIN - 1):
        done = subprocess.run(
            [program, "--config", folder + "/agent.toml"], timeout=20,
            capture_output=True, text=True, check=False, preexec_fn=lambda:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, count)))
        expect(done.returncode == 2 and "LimitNOFILE" in done.stderr,
               "with %d files it ended with %d: %s"
               % (count, done.returncode, done.stderr))
    for count in (FILES_MIN, 64):
        besieged(program, folder, count)


def besieged(program, folder, count):
    agent = Agent(program, folder, limit=(resource.RLIMIT_NOFILE, count),
                  address="0.0.0.0")
    strangers = Strangers(agent.port, STRANGERS)
    tried = ran = 0
    try:
        end = time.monotonic() + 10
        while time.monotonic() < end:
            strangers.press()
            tried += 1
            if tried % 20 == 1:
                with concurrent.futures.ThreadPoolExecutor(1) as pool:
                    afar = pool.submit(soon, answered_from_afar, agent)
                    while not afar.done():
                        strangers.press()
                    expect(afar.result(), "an answer to who is far away")
            expect(soon(answered, agent),
                   "with %d files question %d is not answered: %s"
                   % (count, tried, agent.said()[-500:]))
            ran += has_run(agent)
        expect(ran > tried / 2, "with %d files its command ran lately at %d of "
               "%d questions: %s" % (count, ran, tried, agent.said()[-500:]))
    finally:
        strangers.go()
        agent.kill()
    print("with %d files it answered %d times beside %d strangers"
          % (count, tried, strangers.came))
    expect(strangers.came >= STRANGERS, "only %d came" % strangers.came)


def explains_its_end(agent):
    code = agent.process.wait(20)
    expect(code == 1 and "memory" in agent.said(),
           "it ended with %d: %s" % (code, agent.said()[-800:]))


def starts(program, folder):
    """With a little more memory each time, until it is enough."""
    ends = 0
    for mib in range(10, 400, 3):
        agent = Agent(program, folder, limit=(resource.RLIMIT_AS, mib * MIB),
                      waits=False)
        end = time.monotonic() + 20
        while (agent.process.poll() is None and time.monotonic() < end
               and "serves" not in agent.said()):
            time.sleep(0.02)
        if agent.process.poll() is None:
            agent.kill()
            expect(ends > 1, "only %d starts had too little" % ends)
            print("%d starts with too little memory, %d MiB are enough"
                  % (ends, mib))
            return mib
        if agent.process.returncode != LOADER:
            explains_its_end(agent)
            ends += 1
    raise AssertionError("no memory is enough")


def short(program, folder, mib):
    """So much is all it gets, amid strangers."""
    agent = Agent(program, folder, limit=(resource.RLIMIT_AS, mib * MIB),
                  address="0.0.0.0")
    strangers = Strangers(agent.port, STRANGERS)
    good = 0
    try:
        end = time.monotonic() + 6
        while agent.process.poll() is None and time.monotonic() < end:
            strangers.press()
            good += answered(agent)
        strangers.go()
        end = time.monotonic() + 20
        while agent.process.poll() is None and time.monotonic() < end:
            if answered(agent) and has_run(agent):
                return good, False
            time.sleep(0.1)
        expect(agent.process.poll() is not None,
               "with %d MiB it lives on for nobody: %s"
               % (mib, agent.said()[-800:]))
        explains_its_end(agent)
        return good, True
    finally:
        strangers.go()
        agent.kill()


def go_inside():
    """Runs this again in a network of its own, which has two addresses."""
    how = ["unshare", "--net"]
    if os.environ.get(INSIDE) != "yes":
        if subprocess.call(how + ["true"], stderr=subprocess.DEVNULL) != 0:
            print("SKIPPED: no network namespaces")
            sys.exit(77)
        os.environ[INSIDE] = "yes"
        os.execvp(how[0], how + [sys.executable] + sys.argv)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        fcntl.ioctl(line, 0x8914, struct.pack("16sh14x", b"lo", 1))  # IFF_UP
        fcntl.ioctl(line, 0x8916, struct.pack(  # SIOCSIFADDR
            "16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton(STRANGE)))


def main():
    if os.geteuid() != 0:
        print("SKIPPED: only root can make commands of root's")
        sys.exit(77)
    go_inside()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most < STRANGERS + 100:
        print("so few files are no room for strangers")
        sys.exit(77)
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for name in ("ganeti", "commands", "repairs"):
            os.mkdir(folder + "/" + name)
            os.chmod(folder + "/" + name, 0o755)
        digests = {name: certificate(folder + "/ganeti", name)
                   for name in ("server", "asker")}
        write(folder + "/ganeti/hmac.key", "cluster key\n")
        write(folder + "/ganeti/ssconf_master_candidates_certs",
              "u1=%s\n" % ":".join(re.findall("..", digests["asker"])))
        write(folder + "/ganeti/ssconf_cluster_tags",
              "orderly:diagnose:well\n")
        write(folder + "/commands/well",
              "#!/bin/sh\necho '{\"status\": \"Ok\", \"n\": 7}'\n", 0o755)
        # It makes its settings, and its key.
        Agent(program, folder).kill()
        files(program, folder)
        enough = starts(program, folder)
        for more in (0, 1, 2, 4, 8, 16, 32, 64, 96):
            good, ended = short(program, folder, enough + more)
            print("%d MiB: %d answers beside strangers, %s"
                  % (enough + more, good, "ended" if ended else "lives"))
        expect(good > 0 and not ended, "that is room for many strangers")
    print("all as it should be")


main()
