#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What room costs: Debian's hail and hspace and ours on the same files.

Prints user CPU seconds of whole processes and their ratio, and whether the
answers are the same. The best of three runs counts for ours. A run of the
reference is cut off at --limit seconds of CPU, and the ratio is then a lower
bound; hspace needs --limit 1200 or more to end. Ends with 1 if a row is slower than it must be, or differs.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

HAIL = "/usr/lib/ganeti/iallocators/hail"
# tool, kind, nodes, instances, disks of new instances, ratio, seconds for ours
ROWS = [("hail", "shared", 200, 2000, "ext", 900, 0.05),
        ("hspace", "shared", 80, 700, "ext", 100, 9),
        ("hspace", "shared", 80, 700, "drbd", 100, 9)]


def timed(command, limit):
    """User CPU seconds, standard output, and whether it came to its end."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True,
                          preexec_fn=bound)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return spent, done.stdout, done.returncode == 0


def row(a, folder, tool, kind, nodes, instances, disks, least, most):
    path = os.path.join(folder, f"{kind}-{nodes}")
    with open(path, "w") as f:
        subprocess.run([sys.executable, a.generator, str(nodes),
                        str(instances), kind, "--seed", str(a.seed)],
                       stdout=f, check=True)
    options = ["--machine-readable", f"--disk-template={disks}", "-t", path]
    if tool == "hail":
        with open(path + ".json", "w") as f:
            subprocess.run([sys.executable, a.converter, path, disks],
                           stdout=f, check=True)
        options = [path + ".json"]
    link = os.path.join(folder, tool)
    runs = [timed([link, "--n1-rule=3.0"] + options, a.limit)
            for _ in range(3)]
    ours = max(min(r[0] for r in runs), 0.001)
    theirs, expected, ended = timed(
        [HAIL if tool == "hail" else "/usr/bin/" + tool] + options, a.limit)
    same = "same" if runs[0][1] == expected else "DIFFERENT"
    if not ended:
        same = "the reference did not end"
    slow = ours > most or (ended and theirs / ours < least)
    print(f"{tool:6} {kind:6} {nodes:4}/{instances:<5} {disks:5} "
          f"{theirs:8.2f} s {ours:8.3f} s {'' if ended else '>'}"
          f"{theirs / ours:6.0f} x  (must {least})  {same}"
          f"{'  TOO SLOW' if slow else ''}", flush=True)
    return runs[0][2] and not slow and same != "DIFFERENT"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--converter",
                        help="writes iallocator messages; beside the generator "
                             "if not given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=60,
                        help="CPU seconds for one run of the reference")
    a = parser.parse_args()
    a.converter = a.converter or os.path.join(os.path.dirname(a.generator),
                                              "htools-to-iallocator.py")
    for needed in (HAIL, a.generator, a.converter):
        if not os.path.exists(needed):
            print(f"SKIPPED: there is no {needed}; nothing was measured")
            return 77
    print("tool   storage  size    disks   reference       ours    ratio")
    with tempfile.TemporaryDirectory() as folder:
        for tool in ("hail", "hspace"):
            os.symlink(os.path.abspath(a.ours), os.path.join(folder, tool))
        good = [row(a, folder, *r) for r in ROWS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
