#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What rounds of restarts cost: Debian's hroller and ours on the same files.

Prints user CPU seconds of whole processes and their ratio for the exact search,
whose answers must be the reference's to the letter, and beside it what the fast
search needs, in seconds and in rounds, and the bound that it knows. The best of
five runs counts for ours. Ends with 1 if a row is slower than it must be or
differs; with 77 if the reference is not there.
"""
import json
import os
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True  # the tree stays as it is
sys.path.insert(0, FOLDER)
from alloc_bench import bench_options, generated, timed  # noqa: E402

REFERENCE = "/usr/bin/hroller"
# Storage, nodes, instances, balanced by hbal before?, ratio that must be
# reached, seconds that the fast search may take.
ROWS = [("drbd", 20, 150, True, 1, 2), ("drbd", 40, 300, True, 1, 2),
        ("drbd", 80, 700, True, 1, 2), ("drbd", 200, 2000, False, 50, 2),
        ("drbd", 400, 4000, False, 200, 4),
        ("shared", 200, 2000, False, 1, 2)]


def row(a, folder, kind, nodes, instances, balanced, least, most):
    path = generated(a, folder, kind, nodes, instances)
    if balanced:
        subprocess.run([a.ours, "hbal", "-q", "-t", path, "-S", path],
                       capture_output=True, check=True)
        path += ".balanced"
    words = ["-v", "-q", "--print-moves", "-t", path]
    theirs, expected, _ = timed([REFERENCE] + words, a.limit)
    runs = [timed([a.ours, "hroller", "--search=exact"] + words, a.limit)
            for _ in range(5)]
    ours = max(min(r[0] for r in runs), 0.001)
    fast = [timed([a.ours, "hroller", "--output=json", "-q", "-t", path],
                  a.limit) for _ in range(5)]
    seconds = min(r[0] for r in fast)
    plan = json.loads(fast[0][1])
    before = sum(not x.startswith(" ") for x in expected.split("\n")) - 2
    bound = max(plan["bound"].values())
    same = runs[0][1] == expected
    good = same and theirs / ours >= least and seconds <= most
    print(f"{kind:6} {nodes:4}/{instances:<5} {'yes' if balanced else 'no':8} "
          f"{theirs:8.2f} {ours:7.3f} {theirs / ours:6.0f} {least:5} "
          f"{'same' if same else 'DIFFERENT':10} {before:9} "
          f"{len(plan['rounds']):6} {bound:6} {len(plan['stuck']):6} "
          f"{seconds:7.3f}  {'good' if good else 'MISSED'}", flush=True)
    return good


def main():
    a = bench_options(__doc__).parse_args()
    if not os.path.exists(REFERENCE):
        print(f"SKIPPED: there is no {REFERENCE}; nothing was measured")
        return 77
    print("storage  size     balanced reference exact  ratio  must  answers    "
          "its rounds rounds  bound  stuck    fast  verdict")
    with tempfile.TemporaryDirectory() as folder:
        good = [row(a, folder, *r) for r in ROWS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
