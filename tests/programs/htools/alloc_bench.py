#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What room costs: Debian's hail and hspace and ours on the same files.

Prints user CPU seconds of whole processes and their ratio, and whether the
answers are the same, counts and scores to the last digit. The best of three
runs counts for ours. A run of the reference is cut off at --limit seconds of
CPU; the ratio is then a lower bound, and no answer is compared. Every row ends
in 300 s. Ends with 1 if a row is slower than it must be, or differs; with 77 if
the reference is not there.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
GENERATOR = os.path.join(FOLDER, "gen.py")
CONVERTER = os.path.join(FOLDER, "iallocator.py")
HAIL = "/usr/lib/ganeti/iallocators/hail"
# What it shows, tool, storage, nodes, instances, options, ratio that must be
# reached, seconds that ours may take. hspace is asked for tiers from the
# largest instance that the policy allows, and then for its standard.
ROWS = [
    ("hail, one ext", "hail", "shared", 200, 2000, ["ext"], 900, 0.05),
    ("hspace, drbd pairs, standard and tiered", "hspace", "drbd", 80, 700,
     ["--disk-template=drbd", "--accept-existing-errors"], 100, 9),
    ("hspace, ext, 100 each, global N+1", "hspace", "shared", 80, 700,
     ["--disk-template=ext", "-l", "100"], 100, 9),
    ("hspace, ext, from 16 GiB, global N+1", "hspace", "shared", 80, 700,
     ["--disk-template=ext", "--tiered-alloc=100g,16g,8",
      "--standard-alloc=50g,8g,4"], 100, 9),
    ("hspace, ext, standard and tiered, no N+1", "hspace", "shared", 80, 700,
     ["--disk-template=ext", "--no-capacity-checks"], 100, 9)]


def timed(command, limit):
    """User CPU seconds, standard output, and whether it came to its end."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True,
                          preexec_fn=bound)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return spent, done.stdout, done.returncode == 0


def generated(a, folder, kind, nodes, instances):
    """The path of such a cluster's file."""
    path = os.path.join(folder, f"{kind}-{nodes}")
    with open(path, "w") as f:
        subprocess.run([sys.executable, GENERATOR, str(nodes),
                        str(instances), kind, "--seed", str(a.seed)],
                       stdout=f, check=True)
    return path


def bench_options(text):
    """What each script takes that measures beside the reference."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=400,
                        help="CPU seconds for one run of the reference")
    return parser


def row(a, folder, what, tool, kind, nodes, instances, options, least, most):
    path = generated(a, folder, kind, nodes, instances)
    if tool == "hail":
        with open(path + ".json", "w") as f:
            subprocess.run([sys.executable, CONVERTER, path] + options,
                           stdout=f, check=True)
        words = [path + ".json"]
    else:
        words = ["--machine-readable"] + options + ["-t", path]
    link = os.path.join(folder, tool)
    runs = [timed([link, "--n1-rule=3.0"] + words, a.limit)
            for _ in range(3)]
    ours = max(min(r[0] for r in runs), 0.001)
    theirs, expected, ended = timed(
        [HAIL if tool == "hail" else "/usr/bin/" + tool] + words, a.limit)
    good = runs[0][2] and ours <= most
    if ended:
        good = good and theirs / ours >= least and runs[0][1] == expected
    same = ("not compared" if not ended
            else "same" if runs[0][1] == expected else "DIFFERENT")
    verdict = "MISSED" if not good else "good" if ended else "not ended"
    mark = " " if ended else ">"
    print(f"{what:41} {kind:6} {nodes:4}/{instances:<5} {mark}{theirs:8.2f} "
          f"{ours:7.3f} {mark}{theirs / ours:6.0f} {least:5}  {same:12} "
          f"{verdict}", flush=True)
    return good


def main():
    parser = bench_options(__doc__)
    parser.add_argument("--rows", type=int, nargs="*",
                        help="only these, from 0 on")
    a = parser.parse_args()
    if not os.path.exists(HAIL):
        print(f"SKIPPED: there is no {HAIL}; nothing was measured")
        return 77
    print(f"{'case':41} storage   size   reference    ours   ratio  must  "
          "answers      verdict")
    with tempfile.TemporaryDirectory() as folder:
        for tool in ("hail", "hspace"):
            os.symlink(os.path.abspath(a.ours), os.path.join(folder, tool))
        good = [row(a, folder, *r) for k, r in enumerate(ROWS)
                if a.rows is None or k in a.rows]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
