#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Plays the drill of README.md as a newcomer would: its transcript has to be
the one that stands there, and with a controller that lies nothing restarts.

usage: readme_drill.py ORDERLY-SIM SOURCE-TREE
"""

import pathlib
import subprocess
import sys
import tempfile


def blocks(text):
    """The texts between fences, without the fences."""
    return [part.split("\n", 1)[1] for part in text.split("```")[1::2]]


def play(sim, drill, folder):
    file = pathlib.Path(folder) / "my.drill"
    file.write_text(drill)
    run = subprocess.run([sim, "drill", "--show", str(file)], text=True,
                         capture_output=True, timeout=60, check=False)
    return run.stdout.splitlines()


def main(sim, tree):
    tree = pathlib.Path(tree)
    readme = blocks((tree / "README.md").read_text())
    drill = next(x for x in readme if "\n----\n" in x)
    shown = next(x for x in readme if x.startswith("+0m00s"))
    # A drill names its settings from where it lies: in the source tree.
    drill = drill.replace("config configs", f"config {tree}/configs")
    with tempfile.TemporaryDirectory() as folder:
        got = play(sim, drill, folder)
        lies = play(sim, drill.replace(
            "at 2m", "at 1m bmc node3 lies-on\nat 2m"), folder)
    wrong = 0
    at = 0
    for line in shown.splitlines():
        if line == "...":
            continue
        if line in got[at:]:
            at = got.index(line, at) + 1
        else:
            wrong += 1
            print(f"README.md shows a line that does not come: {line}")
    if len(got) < 10:
        sys.exit(f"the drill was not played: {got}")
    for line in lies:
        if " world " in line and " runs on " in line:
            wrong += 1
            print(f"restarted without proof: {line}")
    if not any("node3" in line for line in lies):
        sys.exit(f"the second drill was not played: {lies}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
