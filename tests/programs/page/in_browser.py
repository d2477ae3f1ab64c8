#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""A browser on the machine of an orderlyd: the status page works, what names and
reasons hold is text, and no page of anybody else reads, orders or shows what
orderlyd has, whatever the browser would let it do.

  tests/programs/page/in_browser.py build/bin/orderlyd

Exit code 0: all is well; 1: not; 77: there is no browser.
"""
import http.server
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from browser import Browser, program
import made_up_cluster
from made_up_cluster import SETTINGS, Luxid, ask

# As in a name, so without blanks; and as in a reason.
NAMED = "\"'><img/src=x/onerror=owned=1><svg/onload=owned=2>"
MARKUP = "</td></table></style><script>owned=3</script>" + NAMED
REBOUND = "rebound.example"
MORE = """\
public = "all"
[autorepair]
enabled = true
mode = "observe"
"""


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as line:
        return line.getsockname()[1]


class Stranger(http.server.BaseHTTPRequestHandler):
    """Another page on this machine."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>mine</title><body>")

    def log_message(self, *words):
        pass


def spoil(luxid):
    """Markup wherever the cluster has words."""
    made_up_cluster.answer = with_name(made_up_cluster.answer)
    for kind, key in (("node", "name"), ("group", "name"),
                      ("instance", "name")):
        row = luxid.tables[kind][1 if kind != "group" else 0]
        row[key] += NAMED
        row["tags"] = [NAMED]
    bad = luxid.tables["instance"]
    bad[1]["pnode"] = luxid.tables["node"][1]["name"]
    bad[1]["tags"] = ["ganeti:watcher:autorepair:" + NAMED]
    bad[1]["os"] = MARKUP
    luxid.tables["node"][1]["drained"] = True


def with_name(answer):
    def other(tables, method, args):
        if method == "QueryConfigValues":
            return ["made-up" + NAMED, "node0"]
        return answer(tables, method, args)
    return other


class Rig:
    def __init__(self, orderlyd, folder):
        self.port, self.folder = free_port(), folder
        self.at = "http://127.0.0.1:%d" % self.port
        self.socket = folder + "/orderly.sock"
        luxid = Luxid(folder + "/luxi", 4, 8)
        spoil(luxid)
        # Nobody is at that port: all nodes look dead, and are held.
        text = SETTINGS % {"port": free_port(), "folder": folder}
        with open(folder + "/orderly.toml", "w", encoding="utf-8") as file:
            file.write(text.replace("port = 0\n", "port = %d\n" % self.port)
                       + MORE)
        os.chmod(folder + "/orderly.toml", 0o600)
        self.log = open(folder + "/log", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [orderlyd, "--config", folder + "/orderly.toml"], stderr=self.log)
        self.stranger = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                                        Stranger)
        threading.Thread(target=self.stranger.serve_forever,
                         daemon=True).start()
        self.elsewhere = "http://127.0.0.1:%d/" % self.stranger.server_port
        end = time.monotonic() + 30
        while not self.read():
            expect(time.monotonic() < end, "the cluster is not read")
            time.sleep(0.1)
        # A person may write that, too.
        status, _ = ask(self.socket, "POST", "/2/pause", {"reason": MARKUP})
        expect(status == 200, "a pause is answered with %d" % status)

    def read(self):
        try:
            return self.guard()["nodes"] == 4
        except (OSError, ValueError, KeyError):
            return False

    def guard(self):
        return ask(self.socket, "GET", "/2/status")[1]["guard"]

    def end(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()
        self.stranger.shutdown()


# --- what must hold --------------------------------------------------------


def unharmed(browser, url, asked=1):
    """Whatever stood there was shown and not done."""
    expect(browser.do("typeof owned") == "undefined", url + ": markup was run")
    count = browser.do("document.querySelectorAll("
                       "'script,img,svg,iframe,a,form').length")
    expect(count == 0, "%s: markup became %d elements" % (url, count))
    requests = [x["request"]["url"]
                for x in browser.told("Network.requestWillBeSent")
                if not x["request"]["url"].endswith("/favicon.ico")]
    expect(len(requests) == asked, "%s asked for %s" % (url, requests))


def page_works(rig, browser):
    """the page is shown with its styles, and shows itself anew"""
    expect(browser.open(rig.at + "/status.html") == 200, "no page")
    for word in ("node0", "Right to act", "paused by", "Last decisions"):
        expect(word in browser.do("document.body.innerText"), "no " + word)
    expect(browser.do("getComputedStyle(document.body).maxWidth") != "none",
           "its styles are not used")
    told = [x["entry"]["text"] for x in browser.told("Log.entryAdded")
            if "favicon" not in x["entry"].get("url", "")]
    expect(not told, "the browser complains: %s" % told)
    browser.events = []
    browser.wait("Page.loadEventFired", 20)


def markup_is_text(rig, browser):
    """markup in names, tags, systems and reasons is text everywhere"""
    expect(browser.open(rig.at + "/status.html") == 200, "no page")
    shown = browser.do("document.body.innerText")
    for what in ("node1" + NAMED, "made-up" + NAMED, MARKUP):
        expect(what in shown, "not shown as it is: " + what)
    expect(browser.do("document.title") == "orderly: made-up" + NAMED,
           "another title")
    unharmed(browser, "/status.html")
    name = "node1%22'%3E%3Cimg%2Fsrc=x%2Fonerror=owned=1%3E"
    for path in ("/2/status", "/2/nodes", "/2/instances", "/2/advice?all=1",
                 "/2/decisions", "/2/plan", "/1/status", "/metrics", "/readyz",
                 "/2/explain/" + name, "/" + name, "/2/nodes?state=" + name,
                 "/2/nodes/" + name):
        expect(browser.open(rig.at + path) != 0, "no answer of " + path)
        unharmed(browser, path)


READ = """\
fetch("%s", {%s}).then(x => x.text().then(t => x.type + x.status + t),
                       e => "")"""


def cannot_read(rig, browser):
    """no page of another origin reads"""
    expect(browser.do(READ % (rig.elsewhere, "")).startswith("basic200"),
           "this cannot tell who reads")
    for path in ("/2/status", "/status.html", "/metrics", "/healthz"):
        for how in ("", 'mode: "no-cors"', 'credentials: "include"',
                    'mode: "no-cors", method: "HEAD"',
                    'headers: {"X-A": "b"}', 'referrerPolicy: "no-referrer"'):
            got = browser.do(READ % (rig.at + path, how))
            expect(got in ("", "opaque0"), "%s {%s}: %s" % (path, how, got))
    for tag, key in (("script", "src"), ("img", "src"), ("link", "href"),
                     ("video", "src"), ("audio", "src")):
        for path in ("/2/status", "/status.html", "/metrics"):
            got = browser.do("""\
new Promise(done => {
  let x = document.createElement("%s");
  x.rel = "stylesheet";
  x.onload = x.onloadeddata = () => done("loaded");
  x.onerror = () => done("");
  x.%s = "%s";
  document.body.append(x);
})""" % (tag, key, rig.at + path))
            expect(got == "", "%s is taken as %s" % (path, tag))
    for kind in ('new WebSocket("ws://127.0.0.1:%d/2/status")' % rig.port,
                 'new EventSource("%s/2/status")' % rig.at):
        got = browser.do("""\
new Promise(done => {
  let x = %s;
  x.onopen = x.onmessage = () => done("open");
  x.onerror = () => done("");
})""" % kind)
        expect(got == "", kind + " is open")


ORDERS = (("/2/pause", '{"reason":"a stranger"}'), ("/2/resume", "{}"),
          ("/2/errands", '{"verb":"off","nodes":["node0"],"reason":"x"}'),
          ("/2/instances/inst0/repair", '{"type":"failover"}'))


def cannot_order(rig, browser):
    """no page of another origin orders anything, nor does one of our own"""
    paused, errands = rig.guard(), ask(rig.socket, "GET", "/2/errands")
    arrived = 0
    for path, body in ORDERS:
        browser.events = []
        for how in ('mode: "no-cors"', 'mode: "cors"',
                    'mode: "no-cors", credentials: "include"',
                    'headers: {"Content-Type": "application/json"}',
                    'mode: "no-cors", keepalive: true'):
            browser.do(READ % (rig.at + path, "method: 'POST', body: '%s', %s"
                               % (body, how)))
        browser.do("navigator.sendBeacon('%s', '%s')" % (rig.at + path, body))
        for verb in ("PUT", "DELETE", "PATCH"):
            browser.do(READ % (rig.at + path, "method: '%s'" % verb))
        # What came to orderlyd, though the page may not know how it was answered.
        codes = [x["statusCode"] for x in
                 browser.told("Network.responseReceivedExtraInfo")]
        expect(set(codes) <= {403, 405}, "%s: %s" % (path, codes))
        arrived += codes.count(403)
        browser.events = []
        browser.do("""\
document.body.innerHTML = `<form method=post enctype=text/plain
  action="%s"><input name='%s"x":"' value='"}'></form>`;
document.forms[0].submit()""" % (rig.at + path, body[:-1] + ","))
        browser.wait("Page.loadEventFired")
        status = [x["response"]["status"] for x in
                  browser.told("Network.responseReceived")]
        expect(status and status[0] in (403, 405),
               "a form for %s is answered with %s" % (path, status))
        browser.open(rig.elsewhere)
    expect(arrived >= len(ORDERS), "only %d orders arrived" % arrived)
    after = rig.guard()
    expect(after["paused_by"] == paused["paused_by"] and after["paused"],
           "a stranger paused or resumed: %s" % after)
    expect(ask(rig.socket, "GET", "/2/errands") == errands,
           "a stranger began an errand")


def cannot_frame(rig, browser):
    """no page of another origin shows ours as a part of it"""
    for tag, key in (("iframe", "src"), ("embed", "src"), ("object", "data")):
        for path in ("/status.html", "/2/status", "/metrics", "/"):
            browser.open(rig.elsewhere)
            browser.do("""\
new Promise(done => {
  let x = document.createElement("%s");
  x.onload = x.onerror = done;
  x.%s = "%s";
  document.body.append(x);
})""" % (tag, key, rig.at + path))
            below = browser.call("Page.getFrameTree")["frameTree"]
            urls = [x["frame"]["url"] for x in below.get("childFrames", [])]
            expect(not any(x.startswith(rig.at) for x in urls),
                   "%s is shown in an %s" % (path, tag))


def cannot_rebind(rig, browser):
    """a name that somebody has point here is not served"""
    at = "http://%s:%d" % (REBOUND, rig.port)
    for path in ("/status.html", "/2/status", "/metrics", "/healthz"):
        status = browser.open(at + path)
        expect(status == 421, "%s is answered with %d" % (path, status))
        expect("made-up" not in browser.do("document.body.innerText"),
               path + " is shown")
    # The page was served by another machine a moment ago: it is of one origin
    # with us, and the browser has nothing against its reading.
    browser.pretend(at + "/", "<!DOCTYPE html><title>mine</title><body>")
    browser.open(at + "/")
    paused = rig.guard()["paused_by"]
    for path in ("/status.html", "/2/status", "/metrics"):
        got = browser.do(READ % (path, ""))
        expect(got.startswith("basic421") and "made-up" not in got,
               "%s is read: %s" % (path, got))
    for path, body in ORDERS:
        got = browser.do(READ % (path, "method: 'POST', body: '%s'" % body))
        expect(got.startswith("basic421"), "%s: %s" % (path, got))
    expect(rig.guard()["paused_by"] == paused, "it paused or resumed")


def main():
    if program() is None:
        print("no browser here: chromium-headless-shell is missing")
        return 77
    with tempfile.TemporaryDirectory(prefix="orderly-page-") as folder:
        os.chmod(folder, 0o700)
        rig = Rig(sys.argv[1], folder)
        # Older browsers let any page ask this machine, and so may this one.
        browser = Browser("--host-resolver-rules=MAP *.example 127.0.0.1",
                          "--disable-features=LocalNetworkAccessChecks,"
                          "BlockInsecurePrivateNetworkRequests")
        try:
            for step in (page_works, markup_is_text, cannot_read, cannot_order,
                         cannot_frame, cannot_rebind):
                began = time.monotonic()
                if step.__name__.startswith("cannot"):
                    browser.open(rig.elsewhere)
                step(rig, browser)
                print("%-15s %4.1f s  %s" % (step.__name__,
                                             time.monotonic() - began,
                                             step.__doc__))
        except AssertionError as why:
            print("%s: %s" % (step.__name__, why))
            return 1
        finally:
            browser.end()
            rig.end()
    return 0


sys.exit(main())
