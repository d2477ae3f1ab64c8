#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""redfish.py N PORT: a small Redfish service (HTTPS, basic authentication)
over the machine of simulated controller N, in BMC_DIR/nodeN."""
import base64
import json
import os
import ssl
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

N, PORT = sys.argv[1], int(sys.argv[2])
FOLDER = os.path.join(os.environ["BMC_DIR"], "node" + N)
CHASSIS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       "chassis.sh")
ROOT = "/redfish/v1"
RESET = ROOT + "/Systems/1/Actions/ComputerSystem.Reset"
RESETS = {"On": ("power", "1"), "ForceOff": ("power", "0"),
          "GracefulShutdown": ("power", "0"), "ForceRestart": ("reset", "1"),
          "PowerCycle": ("reset", "1")}
USERS = {"orderly:secret-" + N: True, "viewer:view-" + N: False}


def chassis(*words):
    return subprocess.run([CHASSIS, FOLDER, *words], text=True, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True)


def read(name):
    try:
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


def ref(path):
    return {"@odata.id": ROOT + path}


def resets():
    return [x for x in RESETS if x != "ForceOff" or read("fault") != "no-off"]


def system():
    if read("fault") == "nonsense":
        return {"PowerState": ["Off"], "Links": 3, "Actions": [None]}
    told = chassis("get", "power")
    if told.returncode:
        return None
    return {"Id": "1", "Status": {"State": "Enabled", "Health": "OK"},
            "PowerState": "On" if "power:1" in told.stdout else "Off",
            "Links": {"Chassis": [ref("/Chassis/1")]},
            "MemorySummary": {"Status": {"HealthRollup": "OK"}},
            "Actions": {"#ComputerSystem.Reset": {
                "target": RESET, "@Redfish.ActionInfo":
                ROOT + "/Systems/1/ResetActionInfo"}}}


def thermal():
    degrees, rounds = int(read("temp")), 100 * int(read("fan"))
    heat = "Critical" if degrees > 85 else "Warning" if degrees > 75 else "OK"
    return {"Temperatures": [
                {"Name": "CPU Temp", "ReadingCelsius": degrees,
                 "Status": {"State": "Enabled", "Health": heat}},
                {"Name": "CPU2 Temp", "Status": {"State": "Absent"}}],
            "Fans": [{"Name": "Fan1", "Reading": rounds, "Status": {
                "State": "Enabled",
                "Health": "Critical" if rounds < 1000 else "OK"}}]}


def document(path):
    if path == ROOT:
        return {"RedfishVersion": "1.6.0", "Systems": ref("/Systems")}
    if path == ROOT + "/Systems":
        return {"Members": [ref("/Systems/1")]}
    if path == ROOT + "/Systems/1":
        return system()
    if path == ROOT + "/Systems/1/ResetActionInfo":
        return {"Parameters": [{"Name": "ResetType",
                                "AllowableValues": resets()}]}
    if path == ROOT + "/Chassis/1":
        return {"Id": "1", "Thermal": ref("/Chassis/1/Thermal"),
                "Power": ref("/Chassis/1/Power")}
    if path == ROOT + "/Chassis/1/Thermal":
        return thermal()
    if path == ROOT + "/Chassis/1/Power":
        return {"PowerSupplies": [{"Name": "PSU1", "Status": {
            "State": "Enabled", "Health": None}}]}
    return None


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, code, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def fail(self, code, text):
        self.answer(code, {"error": {"code": "Base.1.0.GeneralError",
                                     "message": text}})

    def user(self):
        """True: may do anything, False: may look, None: nobody."""
        word = self.headers.get("Authorization", "")
        for user, rights in USERS.items():
            if word == "Basic " + base64.b64encode(user.encode()).decode():
                return rights
        return None

    def do_GET(self):
        path = self.path.rstrip("/")
        if path != ROOT and self.user() is None:
            return self.fail(401, "no such user or password")
        found = document(path)
        if found is None:
            return self.fail(404 if path != ROOT + "/Systems/1" else 503,
                             "it is not there")
        return self.answer(200, dict(found, **{"@odata.id": path}))

    def do_POST(self):
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size) or b"{}")
        if self.user() is None:
            return self.fail(401, "no such user or password")
        if not self.user():
            return self.fail(403, "the role ReadOnly may not reset")
        kind = body.get("ResetType")
        if self.path != RESET or kind not in resets():
            return self.fail(400, "no such reset: %s" % kind)
        on = "power:1" in chassis("get", "power").stdout
        if read("fault") == "conflict" and on == (kind == "On"):
            return self.fail(409, "it is so already")
        done = chassis("set", *RESETS[kind])
        if done.returncode:
            return self.fail(500, done.stderr.strip())
        return self.answer(204)


def main():
    server = ThreadingHTTPServer(("127.0.1." + N, PORT), Service)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    folder = os.environ["BMC_DIR"]
    context.load_cert_chain(folder + "/ca.pem", folder + "/ca.key")
    server.socket = context.wrap_socket(server.socket, server_side=True,
                                        do_handshake_on_connect=False)
    server.serve_forever()


if __name__ == "__main__":
    main()
