# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What agents of nodes do to an orderlyd that asks them for reports: agents that
the cluster's certificate vouches for, and that mean harm. As in
siege_attacks.py."""
import hmac
import json
import os
import re
import ssl
import subprocess
import time

import siege_nodes
import siege_outside
from made_up_cluster import ask
from siege_daemon import Defeat, until

KEY = b"cluster key"
CONFIG = """\
[agents]
port = %d
folder = "%s"
[maintenance]
interval = "%s"
report_timeout = "2s"
"""


def certificate(folder, name):
    path = "%s/%s.pem" % (folder, name)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
         "2", "-subj", "/CN=made-up", "-keyout", path + ".key", "-out",
         path + ".crt"], check=True, stderr=subprocess.DEVNULL)
    with open(path, "w", encoding="ascii") as out:
        for part in (".crt", ".key"):
            with open(path + part, encoding="ascii") as file:
                out.write(file.read())
    os.chmod(path, 0o600)
    return path


class Agents(siege_nodes.Monitors):
    """One for all nodes, over TLS."""

    def __init__(self, port, shown):
        self.side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.side.load_cert_chain(shown)
        super().__init__(port)

    def serve(self, line):
        try:
            line.settimeout(10)
            super().serve(self.side.wrap_socket(line, server_side=True))
        except OSError:
            line.close()


def envelope(asked, key=KEY, salt=None, report=None):
    """All but the signature with the agent's own key is as it should be."""
    found = re.search(rb"rsalt=([\w-]+)&node=([\w-]+)", asked)
    if not found:
        return None  # whoever asked has had enough
    thrown, uuid = (x.decode() for x in found.groups())
    salt = salt or thrown
    text = json.dumps({
        "node_uuid": uuid, "node_name": "node%s" % uuid[2:],
        "time_ms": int(time.time() * 1000),
        "report": report or {"data": {"status": "evacuate"}}},
                      separators=(",", ":"))
    codes = {name: hmac.new(key, (salt + text).encode(), how).hexdigest()
             for name, how in (("hmac", "sha1"), ("hmac-sha256", "sha256"))}
    return siege_nodes.answer_of(json.dumps(codes | {
        "msg": text, "salt": salt, "key": "ab" * 32, "signature": "cd" * 64,
    }).encode())


def another_key(line, asked, agents):
    return envelope(asked, key=b"another key")


def played_back(line, asked, agents):
    return envelope(asked, salt="0123456789abcdef")


def unsigned(line, asked, agents):
    return envelope(asked)


def doubled(line, asked, agents):
    """Each of its parts is there twice."""
    told = envelope(asked)
    if told is None:
        return None
    parts = json.loads(told.partition(b"\r\n\r\n")[2])
    return siege_nodes.answer_of(("{" + ", ".join(
        "%s: %s" % (json.dumps(key), json.dumps(value))
        for key, value in list(parts.items()) * 2) + "}").encode())


def no_envelope(line, asked, agents):
    return siege_nodes.answer_of(b'{"msg": {}, "salt": 1, "hmac": [[]]}')


def calm(line, asked, agents):
    return siege_nodes.answer_of(b"nothing to report", b"404 Not Found")


MOODS = [getattr(siege_outside, name) for name in (
    "garbage", "silence", "trickle", "hang_up", "endless_head", "endless_lines",
    "endless_body", "cut_chunks", "nested", "elsewhere")] + [
        another_key, played_back, unsigned, doubled, no_envelope]


def agents(s):
    """Nothing that they say becomes an event, no node is suspected for it, and
    whoever shows another certificate is not heard at all."""
    folder = s.daemon.folder + "/ganeti"
    os.mkdir(folder)
    shown = [certificate(folder, name) for name in (
        "server", "client", "stranger")][::2]
    with open(folder + "/hmac.key", "wb") as file:
        file.write(KEY)
    os.chmod(folder + "/hmac.key", 0o600)
    with open(s.daemon.config, encoding="ascii") as file:
        before = file.read()
    told, struck = s.daemon.log_size(), 0
    try:
        for who, moods in zip(shown, (MOODS if s.long else MOODS[::3],
                                      [unsigned])):
            them = Agents(0, who)
            # Of many nodes no more at once than this machine can play.
            set_config(s, before + CONFIG % (
                them.line.getsockname()[1], folder,
                "4s" if s.long else "1s"))
            for mood in moods:
                suffer(s, them, mood)
            if who != shown[0] and them.asked:
                raise Defeat("a stranger was asked for a report")
            struck += them.asked
    finally:
        set_config(s, before)
    bad = [x for x in s.daemon.log_since(told)
           if " suspect: " in x or " event:" in x]
    if bad or struck == 0:
        raise Defeat(bad[0] if bad else "no agent was asked")
    return struck


def set_config(s, text):
    s.daemon.stop()
    with open(s.daemon.config, "w", encoding="ascii") as file:
        file.write(text)
    s.daemon.start()


def suffer(s, them, mood):
    asked = them.asked
    them.mood = mood
    time.sleep(5 if s.long else 2)
    siege_outside.still_serves(s, mood.__name__)
    incidents = ask(s.daemon.socket, "GET", "/2/incidents")
    if incidents[0] != 200 or "event" in json.dumps(incidents[1]):
        raise Defeat("%s: %s" % (mood.__name__, str(incidents)[:200]))
    them.mood = calm
    if asked:
        until(lambda: them.asked > asked, 30,
              mood.__name__ + ": nobody is asked any more")
