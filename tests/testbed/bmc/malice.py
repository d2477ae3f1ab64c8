# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Hostile controllers for hostile.py, one class a helper: what they say is
drawn from a seed. They note what they heard, and what they said last."""
import json
import os
import ssl
import stat
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CERTIFICATE = {}
ROOT = "/redfish/v1"


def prepare(folder):
    """A certificate for all of them."""
    path = os.path.join(folder, "tls.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=hostile", "-keyout", path, "-out",
                    path + ".crt"], check=True, timeout=60,
                   stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path + ".crt", path)
    CERTIFICATE["context"] = context


def password(trial):
    path = os.path.join(trial.folder, "password")
    with open(path, "w", encoding="utf-8") as file:
        file.write("pass-word\n")
    os.chmod(path, 0o600)
    return path


def texts(trial):
    """What a text of theirs may be."""
    ours, secret = trial.guarded, trial.secret
    # Without quotes, which a helper may escape.
    lines = ("output = %s/written" % ours, "dump-header = %s/head" % ours,
             "url = file://" + secret, "trace = %s/trace" % ours,
             "upload-file = " + secret, "data-binary = @" + secret,
             "config = " + secret, "proto = =https,file",
             "cookie-jar = %s/jar" % ours, "stderr = %s/err" % ours)
    breaks = ("\n", "\r", "\r\n", '"\n', '\\"\n', "\x0b", "\x0c", "\x85",
              "\u2028", "\x00", "\x1b", "\\\n")
    dice = trial.dice
    inside = "".join(dice.choice(breaks) + dice.choice(lines)
                     for _ in range(dice.randint(1, 3)))
    return dice.choice((
        "/redfish" + inside, "/redfish/v1" + inside + "\n#",
        "/redfish\n" + dice.choice(lines) + "\n#", "/[1-100000]",
        "/{a,b,c}{d,e,f}{g,h}[1-99]", "//127.0.0.1:1/x", "/..;/../../x", "/\\",
        "/@127.0.0.1:1/", "/ x", "/%s%s", "%(password_file)s", "/\ud800",
        inside, "\x1b]0;x\x07\x1b[2J", "Off\n", "off", " On", "On", "Off", "",
        "/", "-K", "x" * 100000, "/" + "y" * 9000, "@" + secret,
        "file://" + secret))


def value(trial, depth=0):
    """Any JSON of theirs."""
    dice = trial.dice
    kind = dice.randrange(12 if depth < 3 else 8)
    if kind < 5:
        return texts(trial)
    if kind < 8:
        return dice.choice((None, True, False, 0, -1, 1e308, 10 ** 30, [], {},
                            "OK", "Critical"))
    if kind < 10:
        return [value(trial, depth + 1) for _ in range(dice.randint(0, 12))]
    names = ("@odata.id", "Members", "target", "Name", "Status", "PowerState",
             "Actions", "message", texts(trial))
    return {dice.choice(names): value(trial, depth + 1)
            for _ in range(dice.randint(0, 4))}


def links_of(at):
    """(where, key) of all that names another document."""
    result = []
    for key, inner in at.items() if isinstance(at, dict) else enumerate(at):
        if isinstance(inner, (dict, list)):
            result += links_of(inner)
        elif isinstance(inner, str) and inner.startswith(ROOT):
            result.append((at, key))
    return result


def spoil(document, trial):
    """`document` with one place taken by something of theirs."""
    at = document
    while True:
        keys = list(at if isinstance(at, dict) else range(len(at)))
        if not keys:
            return
        key = trial.dice.choice(keys)
        if isinstance(at[key], (dict, list)) and trial.dice.random() < 0.8:
            at = at[key]
            continue
        at[key] = value(trial)
        return


def ref(path):
    return {"@odata.id": ROOT + path}


def honest(path, state):
    """What a controller would say."""
    if path == ROOT + "/Systems":
        return {"Members": [ref("/Systems/1")]}
    if path == ROOT + "/Systems/1":
        return {"Status": {"State": "Enabled", "Health": "OK"},
                "PowerState": state, "Links": {"Chassis": [ref("/Chassis/1")]},
                "MemorySummary": {"Status": {"HealthRollup": "OK"}},
                "Actions": {"#ComputerSystem.Reset": {
                    "target": ROOT + "/Reset",
                    "@Redfish.ActionInfo": ROOT + "/Info"}}}
    if path == ROOT + "/Info":
        return {"Parameters": [{"Name": "ResetType", "AllowableValues":
                                ["On", "ForceOff"]}]}
    if path == ROOT + "/Chassis/1":
        return {"Thermal": ref("/Thermal"), "Power": ref("/Power")}
    if path == ROOT + "/Thermal":
        return {"Temperatures": [{"Name": "CPU", "Status": {"Health": "OK"}}],
                "Fans": [{"FanName": "Fan", "Status": {"Health": "OK"}}]}
    return {"PowerSupplies": [{"MemberId": "0", "Status": {}}],
            "error": {"message": "no", "@Message.ExtendedInfo":
                      [{"Message": "more"}]}}


class Redfish:
    """Speaks TLS and HTTP as it should, and everything else as it likes."""
    helper = "oob-redfish"

    def __init__(self, trial):
        self.trial = trial
        self.lock = threading.Lock()
        self.heard = []
        self.asked = 0
        self.last = None  # the state that a whole honest system told
        self.state = trial.dice.choice(("On", "Off"))
        self.password = password(trial)
        # Everything is as it should be, only the links are theirs.
        self.pointed = trial.dice.random() < 0.5
        owner = self

        class Service(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 5

            def log_message(self, *_):
                pass

            def do_GET(self):
                owner.serve(self)

            do_POST = do_PUT = do_GET

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
        self.server.handle_error = lambda *_: None  # whoever hangs up
        self.server.socket = CERTIFICATE["context"].wrap_socket(
            self.server.socket, server_side=True,
            do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True,
                         kwargs={"poll_interval": 0.05}).start()

    def settings(self):
        return ("address = 127.0.0.1\nport = %d\nuser = orderly\n"
                "password_file = %s\ninsecure = yes\n"
                % (self.server.server_address[1], self.password))

    def serve(self, request):
        size = int(request.headers.get("Content-Length") or 0)
        body = request.rfile.read(min(size, 1 << 20))
        with self.lock:
            self.asked += 1
            self.heard.append("%s %s %s %s" % (request.command, request.path,
                                               request.headers, body))
            code, data = self.words(request)
        request.send_response(code)
        if self.trial.dice.random() < 0.1:
            request.send_header("Location", "file://" + self.trial.secret)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    def words(self, request):
        """(code, bytes) of the next answer."""
        dice = self.trial.dice
        if request.command == "POST" and dice.random() < 0.7 + self.pointed:
            self.state = dice.choice(("On", "Off"))
            return dice.choice((200, 204)), b""
        document = honest(request.path, self.state)
        whole = request.path == ROOT + "/Systems/1"
        links = links_of(document)
        if self.pointed:
            if links and dice.random() < 0.4:
                at, key = dice.choice(links)
                at[key] = texts(self.trial)
            self.note(document, whole)
            return 200, json.dumps(document).encode()
        if dice.random() < 0.4:
            spoil(document, self.trial)
        code = dice.choice((200,) * 9 + (301, 401, 403, 404, 409, 500, 503))
        data = json.dumps(document).encode()
        if dice.random() < 0.05:
            code, whole = 200, False
            data = dice.choice((b"\x00\xff", b"[" * 5000, b"{", b"3", b"",
                                b"x" * (2 << 20), b'{"a":1e999}', b"NaN"))
        self.note(document, whole and code == 200)
        return code, data

    def note(self, document, whole):
        if whole:
            said = document.get("PowerState")
            self.last = said.lower() if said in ("On", "Off") else "else"

    def end(self):
        self.server.shutdown()
        self.server.server_close()
        return "\n".join(self.heard)


class Tool:
    """A tool that prints what a hostile controller made it print. It notes its
    arguments, standard input and last word as the helper must understand it.
    """
    name = ""
    mode = ""

    def __init__(self, trial):
        self.trial = trial
        self.asked = 0
        self.password = password(trial)
        self.notes = os.path.join(trial.folder, "notes")
        self.state = os.path.join(trial.folder, "state")
        script = os.path.join(trial.folder, self.name)
        answers = [self.answer() for _ in range(8)]
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/usr/bin/python3 -IBS\nimport os, sys\n"
                       "open(%r, 'a').write(repr((sys.argv, %s)) + '\\n')\n"
                       "n = len(open(%r).readlines())\n"
                       "out, err, code, says = %r[n %% 8]\n"
                       "said = says if says is not None else 'else'\n"
                       "if %s: open(%r, 'w').write(said)\n"
                       "os.write(1, out); os.write(2, err); sys.exit(code)\n"
                       % (self.notes, self.mode, self.notes, answers,
                          self.reads, self.state))
        os.chmod(script, stat.S_IRWXU)
        self.script = script

    @property
    def last(self):
        try:
            with open(self.state, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def noise(self):
        dice = self.trial.dice
        text = texts(self.trial).encode("utf-8", "replace")
        return dice.choice((b"", text, text + b"\n", bytes(
            dice.randrange(256) for _ in range(40)), b"z" * (2 << 18)))

    def end(self):
        try:
            with open(self.notes, encoding="utf-8") as file:
                heard = file.read()
        except FileNotFoundError:
            return ""
        self.asked = heard.count("\n")
        return heard


class Ipmi(Tool):
    helper = "oob-ipmi"
    name = "ipmitool"
    mode = "''"
    reads = "'status' in sys.argv"

    def settings(self):
        return ("address = 127.0.0.1\nport = 9\nuser = orderly\n"
                "password_file = %s\n" % self.password)

    def answer(self):
        dice = self.trial.dice
        if dice.random() < 0.5:
            state = dice.choice(("on", "off"))
            return ("Chassis Power is %s\n" % state).encode(), b"", 0, state
        row = " | ".join(texts(self.trial) for _ in range(5)).encode(
            "utf-8", "replace")
        return (dice.choice((self.noise(), row, b"x | y | ok | z | \x1b[2J",
                             b"Chassis Power is on\nChassis Power is off")),
                self.noise(), dice.choice((0, 0, 1, 2, 139)), None)


class Agent(Tool):
    helper = "oob-fence-agent"
    name = "fence_hostile"
    mode = "sys.stdin.read()"
    reads = "'action=status' in open(%r).readlines()[-1]"

    def __init__(self, trial):
        self.reads = Agent.reads % os.path.join(trial.folder, "notes")
        super().__init__(trial)

    def settings(self):
        return ("agent = %s\naddress = 127.0.0.1\nuser = orderly\n"
                "password_file = %s\nplug = 4\n" % (self.script, self.password))

    def answer(self):
        dice = self.trial.dice
        code = dice.choice((0, 0, 0, 2, 2, 1, 3, 139))
        state = {0: "on", 2: "off"}.get(code)
        said = dice.choice((state, state, "on", "off", None))
        words = b"Status: %s\n" % said.upper().encode() if said else b""
        return (words + self.noise(), self.noise(), code,
                state if said == state else None)


KINDS = (Redfish, Ipmi, Agent)
