#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What a plan costs: Debian's hbal and ours in turn on the same files.

Prints user CPU seconds of whole processes and their ratio, and whether moves
and scores are the same. The best of three runs counts for ours where it takes
under a second. Rows whose reference takes longer than --limit seconds of CPU
are cut off there, and the ratio is then a lower bound; the long rows need
--limit 400. Ends with 1 if a row is slower than it must be, or differs.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

# kind, nodes, instances, options, ratio that must be reached
ROWS = [("drbd", 20, 150, [], 400), ("shared", 20, 150, [], 400),
        ("shared", 40, 300, [], 1000), ("drbd", 40, 300, [], 1000),
        ("drbd", 200, 2000, ["-l", "1"], 3000)]


def timed(command, limit):
    """User CPU seconds, standard output, and whether it came to its end."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True,
                          preexec_fn=bound)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return spent, done.stdout, done.returncode == 0


def row(a, folder, kind, nodes, instances, options, least):
    path = os.path.join(folder, f"{kind}-{nodes}-{instances}")
    text = subprocess.run([sys.executable, a.generator, str(nodes),
                           str(instances), kind, "--seed", str(a.seed)],
                          capture_output=True, text=True, check=True).stdout
    with open(path, "w") as f:
        f.write(text)
    link = os.path.join(folder, "hbal")
    ours, out, good = timed([link, "--n1-rule=3.0", "-t", path] + options,
                            a.limit)
    for _ in range(2 if ours < 1 else 0):
        ours = min(ours, timed([link, "--n1-rule=3.0", "-t", path] + options,
                               a.limit)[0])
    # The clock of the kernel ticks in hundredths.
    ours = max(ours, 0.001)
    theirs, expected, ended = timed([a.reference, "-t", path] + options,
                                    a.limit)
    same = "same" if out == expected else "DIFFERENT"
    if not ended:
        same = "so far the same" if out.startswith(
            expected.rsplit("\n", 1)[0]) else "DIFFERENT"
    moves = out.count(" a=")
    ratio = theirs / ours
    slow = ended and ratio < least
    print(f"{kind:6} {nodes:4}/{instances:<5} {' '.join(options):5} "
          f"{moves:4} moves {theirs:8.2f} s {ours:8.3f} s "
          f"{'' if ended else '>'}{ratio:7.0f} x  (must {least})  {same}"
          f"{'  TOO SLOW' if slow else ''}", flush=True)
    return good and not slow and same != "DIFFERENT"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--reference", default="/usr/bin/hbal")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=60,
                        help="CPU seconds for one run of the reference")
    a = parser.parse_args()
    for needed in (a.reference, a.generator):
        if not os.path.exists(needed):
            print(f"SKIPPED: there is no {needed}; nothing was measured")
            return 77
    print("storage  size          moves        reference     ours    ratio")
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(a.ours), os.path.join(folder, "hbal"))
        good = [row(a, folder, *r) for r in ROWS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
