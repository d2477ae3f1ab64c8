# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""A browser without a window, led over a pipe (Chrome DevTools Protocol). For
in_browser.py."""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium")


def program():
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One tab; `events` are all that it told since the last page was opened."""

    def __init__(self, *more):
        self.folder = tempfile.mkdtemp(prefix="orderly-browser-")
        theirs, self.to = os.pipe()
        self.back, answers = os.pipe()

        def settle():
            # Above those two, so that neither overwrites the other.
            ask, told = os.dup2(theirs, 30), os.dup2(answers, 31)
            os.dup2(ask, 3)
            os.dup2(told, 4)
        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu",
             "--no-first-run", "--disable-background-networking",
             "--remote-debugging-pipe", "--user-data-dir=" + self.folder,
             *more], preexec_fn=settle, pass_fds=(3, 4),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(theirs)
        os.close(answers)
        self.data, self.count, self.events = b"", 0, []
        self.session, self.served = None, {}
        tab = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=tab,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(domain + ".enable")

    def end(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
        for _ in range(100):  # its processes write there until they are gone
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
            time.sleep(0.1)

    def next(self, end):
        """One message of the browser, or None once it is `end`."""
        while b"\0" not in self.data:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                return None
            chunk = os.read(self.back, 1 << 16)
            if not chunk:
                raise AssertionError("the browser has ended")
            self.data += chunk
        line, self.data = self.data.split(b"\0", 1)
        message = json.loads(line)
        if "method" in message:
            self.events.append(message)
            if message["method"] == "Fetch.requestPaused":
                self.serve(message["params"])
        return message

    def send(self, method, params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        return self.count

    def call(self, method, **params):
        number, end = self.send(method, params), time.monotonic() + 30
        while message := self.next(end):
            if message.get("id") == number:
                if "error" in message:
                    raise AssertionError("%s: %s" % (method, message["error"]))
                return message["result"]
        raise AssertionError("the browser does not answer " + method)

    def pretend(self, url, page):
        """From now on `url` has this page, whoever is there."""
        self.served[url] = page
        self.call("Fetch.enable", patterns=[{"urlPattern": x}
                                            for x in self.served])

    def serve(self, asked):
        page = self.served.get(asked["request"]["url"])
        self.send("Fetch.fulfillRequest", {
            "requestId": asked["requestId"], "responseCode": 200,
            "responseHeaders": [{"name": "Content-Type",
                                 "value": "text/html"}],
            "body": base64.b64encode(page.encode()).decode()})

    def told(self, method):
        return [x["params"] for x in self.events if x["method"] == method]

    def wait(self, method, seconds=20):
        """Until it has told of that since the page was opened."""
        end = time.monotonic() + seconds
        while not self.told(method):
            if self.next(end) is None:
                raise AssertionError("no %s within %d s" % (method, seconds))

    def open(self, url):
        """The HTTP status of the page."""
        self.events = []
        self.call("Page.navigate", url=url)
        self.wait("Page.loadEventFired")
        return next((x["response"]["status"]
                     for x in self.told("Network.responseReceived")
                     if x["type"] == "Document"), 0)

    def do(self, script):
        """The value of an expression in the page, awaited."""
        found = self.call("Runtime.evaluate", expression=script,
                          awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise AssertionError("%s: %s" % (script,
                                             found["exceptionDetails"]))
        return found["result"].get("value")
