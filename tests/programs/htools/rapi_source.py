#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""The remote API as a source of the tools, over TLS.

A server of its own answers with recorded bodies: what is read from it must be
what is read from their folder. Then it does all that a server may do wrong;
each must end with 1 and a sentence, and no output may hold the password.
"""
import argparse
import base64
import http.server
import pathlib
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
BODIES = HERE.parents[1] / "support/planning/data/rapi"
FILES = {"/2/groups?bulk=1": "groups.json", "/2/nodes?bulk=1": "nodes.json",
         "/2/instances?bulk=1": "instances.json", "/2/info": "info.json"}
PASSWORD = "very%secret"


class Api(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    mode = "well"

    def do_GET(self):
        want = "Basic " + base64.b64encode(
            f"watch@er:{PASSWORD}".encode()).decode()
        if self.mode == "asks who" and self.headers["Authorization"] != want:
            return self.answer(401, b"{}")
        if self.path not in FILES or self.mode == "lacks it":
            return self.answer(404, b"{}")
        body = (BODIES / FILES[self.path]).read_bytes()
        if self.mode == "cut off":
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:len(body) // 2])
            self.close_connection = True
            return
        if self.mode == "garbage":
            body = b"<html>" + body
        self.answer(200, body)

    def answer(self, code, body):
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # who refuses our certificate ends the handshake


def certificate(folder, name, host):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
         "2", "-subj", "/CN=a remote API", "-addext", "subjectAltName=" + host,
         "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.pem"],
        check=True, capture_output=True)


class Trial:
    def __init__(self, ours):
        self.ours = ours
        self.failed = 0

    def hinfo(self, *words):
        return subprocess.run([self.ours, "hinfo", *words], timeout=120,
                              capture_output=True, text=True, check=False)

    def check(self, what, holds, shown=""):
        print(("ok    " if holds else "FAILED ") + what)
        if not holds:
            print(shown)
            self.failed += 1

    def refuses(self, what, sentence, *words):
        got = self.hinfo(*words)
        text = got.stdout + got.stderr
        self.check(what, got.returncode == 1 and sentence in got.stderr
                   and PASSWORD not in text and "%25secret" not in text, text)


def compare(trial, address, folder):
    """Debian's hscan, if it is there, makes the same file and line of them."""
    if not shutil.which("hscan"):
        print("no hscan to compare with")
        return
    name = address.replace("/", "_") + ".data"
    made = []
    for program in (["hscan"], [trial.ours, "hscan", "--n1-rule=3.0"]):
        to = pathlib.Path(tempfile.mkdtemp(dir=folder))
        got = subprocess.run([*program, "-p", "-d", str(to), address],
                             timeout=120, capture_output=True, text=True,
                             check=False)
        file = to / name
        made.append((got.returncode, got.stdout,
                     file.read_text() if file.exists() else got.stderr))
    trial.check("Debian's hscan makes the same of it",
                made[0] == made[1] and made[0][0] == 0, str(made))


def try_all(trial, address, folder):
    user = address.replace("https://", "https://watch%40er:very%25secret@")
    wanted = trial.hinfo("-m", f"file://{BODIES}")
    same = lambda got: (got.stdout == wanted.stdout and got.returncode == 0
                        and got.stdout != "")
    got = trial.hinfo("-m", address)
    trial.check("its answers are those of the folder", same(got), got.stderr)
    got = trial.hinfo("-m", address, "--rapi-ca", f"{folder}/good.pem")
    trial.check("its certificate is checked", same(got), got.stderr)
    trial.refuses("another's certificate", "RAPI of 127.0.0.1", "-m", user,
                  "--rapi-ca", f"{folder}/other.pem")
    trial.refuses("another host's certificate", "RAPI of localhost", "-m",
                  user.replace("127.0.0.1", "localhost"), "--rapi-ca",
                  f"{folder}/good.pem")
    trial.refuses("no certificates", "--rapi-ca", "-m", user, "--rapi-ca",
                  f"{folder}/good.key")
    compare(trial, address, folder)
    Api.mode = "asks who"
    got = trial.hinfo("-m", user)
    trial.check("a user and a password", same(got), got.stderr)
    trial.refuses("nobody where a user is wanted",
                  "does not take user and password", "-m", address)
    for mode, sentence in (("lacks it", "it answers 404"),
                           ("cut off", "its answer"),
                           ("garbage", "/2/groups?bulk=1")):
        Api.mode = mode
        trial.refuses(f"a server that is wrong: {mode}", sentence, "-m", user)
    Api.mode = "well"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--ours", required=True)
    trial = Trial(options.parse_args().ours)
    with tempfile.TemporaryDirectory() as folder:
        certificate(folder, "good", "IP:127.0.0.1")
        certificate(folder, "other", "IP:127.0.0.1")
        server = Quiet(("127.0.0.1", 0), Api)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(f"{folder}/good.pem", f"{folder}/good.key")
        server.socket = tls.wrap_socket(server.socket, server_side=True,
                                        do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        try_all(trial, f"https://127.0.0.1:{port}", folder)
        server.shutdown()
        server.server_close()
        trial.refuses("nobody there", "connecting", "-m",
                      f"https://watch:very%25secret@127.0.0.1:{port}")
    trial.refuses("no address", "--master", "-m",
                  "http://watch:very%25secret@127.0.0.1")
    print(f"{trial.failed} failed")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
