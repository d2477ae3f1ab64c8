#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""A real orderly-agent on loopback, with certificates, ssconf files and diagnose
commands that are made here: who is let in, what is reported of good and of bad
commands, and that strangers cannot end it. Needs root, whose the commands are.

  tests/programs/agent.py build/bin/orderly-agent

Exit code 0: all is well; 1: not; 77: cannot be tried here.
"""
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import resource
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

UUID = "00000001-0000-4000-8000-000000000000"
SALT = "0123456789abcdef-_"
RSS_MAX = 20  # MiB
COMMANDS = {
    "good": ("echo '{\"status\": \"evacuate\", \"n\": 1e2}'", None),
    "env": ("[ -z \"$(/usr/bin/env -i /bin/cat /proc/$$/environ)\" ] && "
            "echo '{\"status\": \"Ok\"}'", None),
    "fails": ("echo no such disk >&2; exit 1", "exit code 1: no such disk"),
    "shot": ("kill -SEGV $$", "signal 11"),
    "hangs": ("trap '' TERM; sleep 86422 & while :; do sleep 86422; done",
              "did not end in time"),
    "floods": ("exec /usr/bin/yes", "more than 64 KiB"),
    "garbage": ("head -c 3000 /dev/urandom", "cannot be taken"),
    "twice": ("echo '{\"status\": \"Ok\", \"status\": \"Ok\"}'", "twice"),
    "silent": (":", "is empty"),
    "vague": ("echo '{\"status\": \"fine\"}'", "status is 'fine'"),
}


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def certificate(folder, name):
    """Makes one and its key in one file; its digest as Ganeti spells it."""
    path = "%s/%s.pem" % (folder, name)
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
        "2", "-subj", "/CN=ganeti.example.com", "-keyout", path + ".key",
        "-out", path + ".crt")
    with open(path + ".new", "w", encoding="ascii") as out:
        for part in (".crt", ".key"):
            with open(path + part, encoding="ascii") as file:
                out.write(file.read())
    os.rename(path + ".new", path)
    with open(path + ".crt", encoding="ascii") as file:
        der = ssl.PEM_cert_to_DER_cert(file.read())
    return hashlib.sha1(der).hexdigest().upper()


def write(path, text, mode=0o600):
    with open(path + ".new", "w", encoding="ascii") as file:
        file.write(text)
    os.chmod(path + ".new", mode)
    os.rename(path + ".new", path)


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


class Agent:
    def __init__(self, program, folder, more="", limit=None, waits=True,
                 address="127.0.0.1"):
        """`limit`: a resource, and how much of it there is."""
        self.folder, self.shown = folder, None
        write(folder + "/agent.toml",
              "[http]\naddress = \"%(address)s\"\nport = 0\n"
              "[node]\nname = \"node1\"\nfolder = \"%(f)s/state\"\n"
              "[ganeti]\nfolder = \"%(f)s/ganeti\"\n"
              "[diagnose]\nfolder = \"%(f)s/commands\"\ninterval = \"500ms\"\n"
              "time_limit = \"1s\"\nkill_delay = \"200ms\"\n"
              "[repair]\nfolder = \"%(f)s/repairs\"\n%(more)s"
              % {"f": folder, "more": more, "address": address})
        self.log = open(folder + "/log", "w+", encoding="utf-8",
                        errors="replace")
        self.process = subprocess.Popen(
            [program, "--config", folder + "/agent.toml"], stderr=self.log,
            preexec_fn=lambda: limit and resource.setrlimit(
                limit[0], (limit[1], limit[1])))
        if waits:
            self.find_port()

    def find_port(self):
        found = self.until(lambda: re.search(r"serves \S+ port (\d+)",
                                             self.said()), "no port")
        self.port = int(found.group(1))

    def said(self):
        with open(self.folder + "/log", encoding="utf-8") as file:
            return file.read()

    def until(self, what, text, limit=30):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            expect(self.process.poll() is None, "it ended: " + self.said())
            found = what()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(text)

    def get(self, path, who="asker", method="GET", body=None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if who:
            context.load_cert_chain("%s/ganeti/%s.pem" % (self.folder, who))
        line = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=10,
                                           context=context)
        line.request(method, path, body)
        answer = line.getresponse()
        text = answer.read().decode()
        self.shown = line.sock.getpeercert(True) if line.sock else self.shown
        line.close()
        return answer.status, text

    def diagnosis(self):
        return json.loads(self.get("/1/report/node/diagnose")[1])

    def rss(self):
        with open("/proc/%d/status" % self.process.pid,
                  encoding="ascii") as file:
            return int(re.search(r"RssAnon:\s+(\d+)", file.read()).group(1)
                       ) / 1024

    def stop(self):
        self.process.terminate()
        expect(self.process.wait(10) == 0, "its exit code")
        self.log.close()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()


def turned_away(agent, who):
    try:
        agent.get("/", who)
    except (OSError, http.client.HTTPException):
        return True
    return False


def paths(agent):
    expect(agent.get("/") == (200, "[1]"), "/")
    expect(agent.get("/1/") == (200, "null"), "/1/")
    status, text = agent.get("/1/list/collectors")
    expect(status == 200 and ["diagnose", "node", 1] in json.loads(text), text)
    expect(agent.get("/1/report/no/such")[0] == 404, "an unknown collector")
    expect(agent.get("/etc")[0] == 404, "an unknown path")
    expect(agent.get("/", method="POST")[0] == 405, "POST")
    expect(agent.get("/1/report/all?rsalt=short")[0] == 400, "a bad salt")
    expect(agent.get("/1/report/all?x=1")[0] == 400, "a bad query")


def named(agent, name):
    write(agent.folder + "/ganeti/ssconf_cluster_tags",
          "other\norderly:diagnose:%s\n" % name if name else "other\n")


def commands(agent):
    for name, (body, error) in COMMANDS.items():
        write("%s/commands/%s" % (agent.folder, name),
              "#!/bin/sh\n%s\n" % body, 0o755)
    agent.until(lambda: "age_ms" in agent.diagnosis() and
                "No file specified" in agent.diagnosis()["data"]["details"]
                and "probe_error" not in agent.diagnosis(), "built-in Ok")
    for name, (_, error) in COMMANDS.items():
        named(agent, name)
        if error:
            agent.until(lambda e=error: e in agent.diagnosis().get(
                "probe_error", ""), "%s: %s" % (name, agent.diagnosis()))
            expect(agent.diagnosis()["data"]["status"] == "Ok", name)
        else:
            agent.until(lambda: "probe_error" not in agent.diagnosis()
                        and "details" not in agent.diagnosis()["data"],
                        "%s: %s" % (name, agent.diagnosis()))
    expect(len(json.loads(agent.get("/1/report/all")[1])) == 1, "all")
    named(agent, "missing")
    agent.until(lambda: "does not exist" in
                agent.diagnosis()["data"].get("details", ""), "a missing one")
    named(agent, "good")
    os.chmod(agent.folder + "/commands", 0o775)
    agent.until(lambda: "folder of commands" in
                agent.diagnosis().get("probe_error", ""), "a loose folder")
    os.chmod(agent.folder + "/commands", 0o755)
    agent.until(lambda: agent.diagnosis()["data"].get("n") == 100, "good")
    left = subprocess.run(["pgrep", "-P", str(agent.process.pid), "-f",
                           "86422"], capture_output=True, check=False).stdout
    expect(not left, "children of a command are left: %s" % left)


def envelopes(agent):
    status, text = agent.get("/1/report/node/diagnose?rsalt=" + SALT)
    expect(status == 503, "who it is it cannot know yet: " + text)
    path = "/1/report/node/diagnose?rsalt=%s&node=" % SALT
    status, text = agent.get(path + UUID)
    expect(status == 200, text)
    x = json.loads(text)
    expect(x["salt"] == SALT, "the salt")
    for name, how in (("hmac", "sha1"), ("hmac-sha256", "sha256")):
        right = hmac.new(b"cluster key\n", (SALT + x["msg"]).encode(), how)
        expect(x[name] == right.hexdigest(), name)
    said = json.loads(x["msg"])
    expect(said["node_uuid"] == UUID and said["node_name"] == "node1", said)
    expect(abs(said["time_ms"] / 1000 - time.time()) < 5, "its time")
    expect(said["report"]["name"] == "diagnose", said)
    other = UUID.replace("1", "2", 1)
    expect(agent.get(path + other)[0] == 409, "another node")
    expect(os.stat(agent.folder + "/state/agent.key").st_mode & 0o777 == 0o600,
           "the mode of its key")
    return x["key"]


def orders(agent):
    """For repair commands: only with the cluster's key, for this node, now."""
    write(agent.folder + "/repairs/reseat", "#!/bin/sh\n", 0o755)

    def deposit(command="reseat", node=UUID, key=b"cluster key\n", age=0,
                more=""):
        text = "{" + more + json.dumps({
            "node": node, "intent": "i1", "event": "e1", "command": command,
            "object": "{}", "time_ms": int((time.time() - age) * 1000)})[1:]
        code = hmac.new(key, text.encode(), "sha256").hexdigest()
        return agent.get("/1/deposit", method="POST",
                         body=json.dumps({"msg": text, "hmac-sha256": code}))
    expect(agent.get("/1/deposit")[0] == 405, "GET of an order")
    for what, words in ((dict(key=b"another"), "hmac.key"),
                        (dict(node=UUID.replace("1", "2", 1)), "another node"),
                        (dict(age=400), "old")):
        status, text = deposit(**what)
        expect(status == 400 and words in text, "%s: %s" % (what, text))
    for body, key in (('{"msg":"{}","msg":"{}","hmac-sha256":"00"}', "msg"),
                      (None, "command")):
        status, text = (agent.get("/1/deposit", method="POST", body=body) if body
                        else deposit(more='"command": "format", '))
        expect(status == 400 and "'%s' is there twice" % key in text, text)
    status, text = deposit(command="missing")
    expect(status == 409 and "missing" in text, text)
    kept = agent.folder + "/state/deposited.json"
    expect(not os.path.exists(kept), "a bad order was kept")
    expect(deposit()[0] == 200, "a good order")
    expect(json.load(open(kept, encoding="ascii"))["command"] == "reseat", kept)
    expect(os.stat(kept).st_mode & 0o777 == 0o600, "the mode of the order")


def renewed(agent, digests):
    """Files count as they are now."""
    ganeti = agent.folder + "/ganeti"
    expect(turned_away(agent, "stranger"), "a stranger is let in")
    expect(turned_away(agent, None), "who shows nothing is let in")
    listed = ganeti + "/ssconf_master_candidates_certs"
    write(listed, "u1=%s\n" % digests["stranger"])
    expect(turned_away(agent, "asker"), "one that was put off the list")
    expect(agent.get("/", "stranger")[0] == 200, "one that was put on it")
    os.remove(listed)
    expect(turned_away(agent, "stranger"), "somebody, without a list")
    write(listed, "u1=%s\n" % digests["asker"])
    digest = certificate(ganeti, "server")
    expect(agent.get("/")[0] == 200, "after its certificate was renewed")
    expect(hashlib.sha1(agent.shown).hexdigest().upper() == digest,
           "the renewed certificate is not shown")
    write(ganeti + "/server.pem", "garbage\n")
    expect(agent.get("/")[0] == 200, "while its certificate is garbage")
    agent.until(lambda: "the last certificate stays" in agent.said(), "untold")


def strangers(agent):
    """Plain HTTP, silence, garbage and floods, with and without TLS."""
    dice = random.Random(1)
    lines = []
    for number in range(300):
        try:
            line = socket.create_connection(("127.0.0.1", agent.port), 1)
            line.send(dice.choice((b"", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03",
                                   bytes(dice.randrange(256)
                                         for _ in range(400)))))
            lines.append(line)
        except OSError:
            pass
        if number % 50 == 49:
            agent.until(lambda: not turned_away(agent, "asker"),
                        "a candidate is not served beside strangers")
    for line in lines:
        line.close()
    agent.until(lambda: agent.get("/") == (200, "[1]"), "after strangers")
    expect(agent.rss() < RSS_MAX, "its memory: %d MiB" % agent.rss())


def hung_up(agent):
    """SIGHUP reads the settings anew: the other command, and no other port. What
    cannot be taken changes nothing, and is told."""
    path = agent.folder + "/agent.toml"
    with open(path, encoding="ascii") as file:
        before = file.read()

    def again(text, told, mode=0o600):
        seen = agent.said().count(told)
        write(path, text, mode)
        agent.process.send_signal(signal.SIGHUP)
        agent.until(lambda: agent.said().count(told) > seen,
                    "not told after SIGHUP: " + told)
        expect(agent.get("/") == (200, "[1]"), "after SIGHUP")

    def says(word):
        return word in agent.get("/1/report/node/diagnose")[1]

    other = before.replace("[diagnose]\n", "[diagnose]\ncommand = \"fails\"\n")
    expect(other != before and not says("no such disk"), "the command before")
    for text, told in ((other + "[bad", "settings not reloaded"),
                       ("", "sets nothing"),
                       (other.replace("500ms", "0ms"), "diagnose.interval")):
        again(text, told)
    again(other, "settings not reloaded", 0o666)
    expect(not says("no such disk"), "what cannot be taken is in force")
    again(other.replace("port = 0", "port = 1"),
          "http.port stays as it is until a restart")
    agent.until(lambda: says("no such disk"), "the other command is not run")
    again(before, "settings reloaded")
    agent.until(lambda: not says("no such disk"), "the command is run still")


def settings(program, folder):
    path = folder + "/bad.toml"
    for text, word in (("[http]\nprot = 1\n", "http.port"),
                       ("[http]\ntls = false\n", "loopback"),
                       ("[diagnose]\ntime_limit = \"x\"\n", ":2:")):
        write(path, text)
        done = subprocess.run([program, "--check", "--config", path],
                              capture_output=True, text=True, check=False)
        expect(done.returncode == 2 and word in done.stderr, done.stderr)
    done = subprocess.run([program, "--help"], capture_output=True, text=True,
                          check=True)
    expect("Examples:" in done.stdout, "help")


def main():
    if os.geteuid() != 0:
        print("only root can make commands of root's")
        sys.exit(77)
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for name in ("ganeti", "commands", "repairs"):
            os.mkdir(folder + "/" + name)
            os.chmod(folder + "/" + name, 0o755)
        settings(program, folder)
        digests = {name: certificate(folder + "/ganeti", name)
                   for name in ("server", "asker", "stranger")}
        write(folder + "/ganeti/hmac.key", "cluster key\n")
        write(folder + "/ganeti/ssconf_master_candidates_certs",
              "u1=%s\n" % ":".join(re.findall("..", digests["asker"])))
        write(folder + "/ganeti/ssconf_cluster_tags", "other\n")
        agent = Agent(program, folder)
        try:
            paths(agent)
            commands(agent)
            key = envelopes(agent)
            orders(agent)
            renewed(agent, digests)
            strangers(agent)
            hung_up(agent)
            agent.stop()
            # The last server.pem was garbage; a start needs a whole one.
            certificate(folder + "/ganeti", "server")
            agent = Agent(program, folder)
            text = agent.get("/1/report/all?rsalt=" + SALT)[1]
            expect(json.loads(text)["key"] == key, "another key: " + text)
            agent.stop()
        finally:
            agent.kill()
    print("all as it should be")


if __name__ == "__main__":
    main()
