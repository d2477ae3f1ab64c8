# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""A socket between orderlyd and luxid, on which an answer can get lost."""
import os
import socket
import threading

END = b"\3"


def message(sock):
    """One message with its end, or nothing once the other side has gone."""
    data = b""
    while not data.endswith(END):
        try:
            chunk = sock.recv(1 << 16)
        except OSError:
            return b""
        if not chunk:
            return b""
        data += chunk
    return data


class Relay:
    """Hands on what is asked and answered. Once armed, the next submission
    with all of those words reaches luxid, and its answer reaches nobody."""

    def __init__(self, path, luxid):
        self.path, self.luxid = path, luxid
        self.lock = threading.Lock()
        self.words, self.before = None, None
        self.caught = threading.Event()  # the submission was handed on
        self.done = threading.Event()  # and luxid has answered it
        if os.path.exists(path):
            os.unlink(path)
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.bind(path)
        self.sock.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def arm(self, *words, before=lambda: None):
        """`before` is called right before the submission is handed on."""
        with self.lock:
            self.caught.clear()
            self.done.clear()
            self.words, self.before = words, before

    def accept(self):
        while True:
            try:
                client = self.sock.accept()[0]
            except OSError:
                return  # closed
            threading.Thread(target=self.serve, args=(client,),
                             daemon=True).start()

    def is_meant(self, asked):
        """Once for each time that it was armed."""
        with self.lock:
            text = asked.decode()
            if (self.words is None or '"Submit' not in text
                    or not all(word in text for word in self.words)):
                return False
            self.words = None
            return True

    def serve(self, client):
        luxid = socket.socket(socket.AF_UNIX)
        with client, luxid:
            try:
                luxid.connect(self.luxid)
                while self.hand_on(client, luxid):
                    pass
            except OSError:
                pass  # whoever is left sees the connection end

    def hand_on(self, client, luxid):
        asked = message(client)
        if not asked:
            return False
        lost = self.is_meant(asked)
        if lost:
            self.before()
        luxid.sendall(asked)
        if lost:
            client.close()
            self.caught.set()
        answer = message(luxid)
        if lost:
            self.done.set()
        elif answer:
            client.sendall(answer)
        return answer and not lost

    def close(self):
        self.sock.close()
