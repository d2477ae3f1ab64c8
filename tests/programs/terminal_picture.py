#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Draws docs/pictures/terminal.svg, the terminal of README.md: what `orderly`
prints about the demo once a node is fenced. Nothing in it is written by hand.

usage: terminal_picture.py ORDERLYD ORDERLY SVG            draws it anew
       terminal_picture.py --check ORDERLYD ORDERLY SVG    is it what would be
           drawn of its text, and does `orderly` still print such lines?
"""

import html
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

COLUMNS = 136
SIZE, LINE, EDGE = 13, 17, 14
WIDE = 0.602  # of a letter of a fixed font, by its size
PROMPT = "$ "


def draw(lines):
    width = round(COLUMNS * SIZE * WIDE) + 2 * EDGE
    height = len(lines) * LINE + 2 * EDGE
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
           f'height="{height}" font-family="DejaVu Sans Mono, monospace" '
           f'font-size="{SIZE}">',
           f'<rect width="{width}" height="{height}" rx="6" fill="#1e2227"/>']
    for i, line in enumerate(lines):
        asked = line.startswith(PROMPT)
        colour = "#8fd18f" if asked else "#d7dae0"
        out.append(f'<text x="{EDGE}" y="{EDGE + i * LINE + SIZE}" '
                   f'fill="{colour}" xml:space="preserve">'
                   f'{html.escape(line, quote=False)}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def lines_of(svg):
    return [html.unescape(x)
            for x in re.findall(r'xml:space="preserve">(.*?)</text>', svg)]


class Demo:
    """A cluster in which things break, and its daemon."""

    def __init__(self, orderlyd, orderly):
        self.orderlyd, self.orderly = orderlyd, orderly

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.daemon = subprocess.Popen(
            [self.orderlyd, "--demo", "--demo-folder", self.folder.name,
             "--demo-port", "0"], stderr=subprocess.DEVNULL)
        socket = pathlib.Path(self.folder.name) / "orderly.sock"
        self.wait_for(socket.exists, 20, "socket")
        self.around = dict(os.environ, ORDERLY_SOCKET=str(socket))
        return self

    def __exit__(self, *_):
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait(timeout=20)
        self.folder.cleanup()

    @staticmethod
    def wait_for(what, limit, name):
        end = time.monotonic() + limit
        while not what():
            if time.monotonic() > end:
                sys.exit(f"FAILED: no {name} within {limit} s")
            time.sleep(0.5)

    def says(self, *arguments):
        """The lines of `orderly`, as wide as the terminal."""
        run = subprocess.run([self.orderly, *arguments], env=self.around,
                             text=True, capture_output=True, timeout=20,
                             check=False)
        return [x[:COLUMNS].rstrip() for x in run.stdout.splitlines()]

    def fenced(self):
        """A node whose offline mark has landed, or nothing."""
        for line in self.says("nodes"):
            words = line.split()
            if words[2:3] == ["fenced"] and "offline" in line:
                return words[0]
        return None


def record(demo):
    demo.wait_for(demo.fenced, 300, "node that is fenced")
    node = demo.fenced()
    result = []
    for command in (["status"], ["explain", node]):
        if result:
            result.append("")
        result.append(f"{PROMPT}orderly {' '.join(command)}"
                      f" | cut -c-{COLUMNS}")
        result += demo.says(*command)
    return result


def labels(lines):
    """What stands before two blanks; of a table its head alone."""
    result = []
    for line in lines:
        if line.startswith("SEQ "):
            return result + [line.split()]
        if line:
            result.append(line.split("  ")[0])
    return result


def check(demo, svg):
    shown = lines_of(svg)
    begins = [i for i, x in enumerate(shown) if x.startswith(PROMPT)]
    if len(begins) != 2:
        return ["it does not show two commands"]
    wrong = [] if draw(shown) == svg else ["it is not what is drawn of its text"]
    status = labels(shown[begins[0] + 1:begins[1]])
    explain = labels(shown[begins[1] + 1:])
    demo.wait_for(lambda: labels(demo.says("status")) == status, 20,
                  f"such lines of orderly status: {status}")
    # What else it says is about what has become of the node.
    now = labels(demo.says("explain", "node01"))
    for what in (explain[:4], explain[-1:]):
        if not all(x in now for x in what):
            wrong.append(f"orderly explain has no {what}: {now}")
    return wrong


def main(arguments):
    checks = arguments[:1] == ["--check"]
    orderlyd, orderly, file = arguments[1 if checks else 0:]
    file = pathlib.Path(file)
    with Demo(orderlyd, orderly) as demo:
        if not checks:
            file.write_text(draw(record(demo)))
            return 0
        wrong = check(demo, file.read_text())
    for x in wrong:
        print(f"FAILED: {file}: {x}; draw it anew: {__doc__.split('usage: ')[1]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
