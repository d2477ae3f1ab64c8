#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What a plan costs and how good it is: Debian's hbal and ours in turn.

Prints user CPU seconds of whole processes on the same generated files.

exact: our moves and scores must be the reference's, with so many times less
CPU. Runs of the reference are cut off after --limit seconds of CPU; the ratio is
then a lower bound, and a row that it does not settle is OPEN.

fast: the end score must be below a figure, that of the reference's own end
where it can get there, with no more than so many net moves, in time and
memory. The reference reads the end state again: it must give the same score
to 8 decimals and find no bad node.

growth: CPU of the fast search against nodes times instances, with the fitted
exponent. --plots FOLDER draws it, and the score against moves of both.

Ends with 1 if a row misses what it must reach.
"""
import argparse
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the tree stays as it is
import plots  # noqa: E402

GENERATOR = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                         "gen.py")

# kind, nodes, instances, options, ratio that must be reached
EXACT = [("drbd", 20, 150, [], 400), ("shared", 20, 150, [], 400),
         ("shared", 40, 300, [], 1000), ("drbd", 40, 300, [], 1000),
         ("drbd", 200, 2000, ["-l", "1"], 3000)]

# kind, nodes, instances, score, net moves, seconds; what a reference that can
# get there ends with, and twice its moves
FAST = [("shared", 80, 700, 2.1345, 396, 1),
        ("shared", 200, 2000, 0.4788, 1200, 1),
        ("drbd", 80, 700, 3.6357, 790, 1),
        ("drbd", 1000, 10000, 23.15, None, 10),
        ("shared", 1000, 10000, 0.92, None, 5)]
MEMORY_MIB = 200
DEADLINE = ("drbd", 1000, 10000, 1.0, 1.3)

PLANS = 40  # for a curve

GROWTH = [(25, 250), (50, 500), (100, 1000), (200, 2000), (400, 4000),
          (800, 8000)]


class Bench:
    def __init__(self, a, folder):
        self.a = a
        self.folder = folder
        self.ours = os.path.join(folder, "hbal")
        os.symlink(os.path.abspath(a.ours), self.ours)
        self.good = True

    def cluster(self, kind, nodes, instances):
        path = os.path.join(self.folder, f"{kind}-{nodes}-{instances}")
        if not os.path.exists(path):
            text = subprocess.run(
                [sys.executable, GENERATOR, str(nodes), str(instances),
                 kind, "--seed", str(self.a.seed)],
                capture_output=True, text=True, check=True).stdout
            with open(path, "w") as f:
                f.write(text)
        return path

    def timed(self, command, limit=None):
        """User CPU seconds, output, whether it came to its end, peak MiB."""
        limit = limit or self.a.limit
        # Nothing runs between fork and exec: it would count as the program's.
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.DEVNULL)
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit + 1))
        out = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_utime, out, process.returncode == 0, \
            used.ru_maxrss / 1024

    def often(self, command):
        """The mean of many runs of what is shorter than the clock's ticks."""
        spent, out, good, peak = self.timed(command)
        runs = 1
        while spent < 0.3 and runs < 40:
            spent += self.timed(command)[0]
            runs += 1
        return max(spent / runs, 0.0001), out, good, peak

    def judge(self, wrong):
        self.good = self.good and not wrong
        return "MISSED: " + ", ".join(wrong) if wrong else "met"

    def exact(self, kind, nodes, instances, options, least):
        path = self.cluster(kind, nodes, instances)
        ours, out, good, _ = self.often(
            [self.ours, "--n1-rule=3.0", "--search=exact", "-t", path]
            + options)
        theirs, expected, ended, _ = self.timed(
            [self.a.reference, "-t", path] + options)
        same = out == expected if ended else out.startswith(
            expected.rsplit("\n", 1)[0])
        wrong = []
        if not good:
            wrong.append("ours failed")
        if not same:
            wrong.append("other moves")
        ratio = theirs / ours
        if ended and ratio < least:
            wrong.append(f"ratio below {least}")
        verdict = self.judge(wrong)
        if not wrong and ratio < least:
            self.good = False
            verdict = "OPEN: the reference was cut off, give more --limit"
        print(f"exact {kind:6} {nodes:4}/{instances:<5} {' '.join(options):5} "
              f"{out.count(' a='):5} moves {theirs:8.2f} s {ours:8.4f} s "
              f"{' ' if ended else '>'}{ratio:7.0f} x MUST {least:5}  "
              f"{verdict}", flush=True)

    def fast(self, kind, nodes, instances, most_score, most_moves, most_time):
        path = self.cluster(kind, nodes, instances)
        end = os.path.join(self.folder, "end")
        spent, out, good, peak = self.often(
            [self.ours, "--search=fast", "-t", path, "-S", end])
        score, moves = final_of(out), out.count(" a=")
        wrong = [] if good else ["ours failed"]
        if not score <= most_score:
            wrong.append("score")
        if most_moves and moves > most_moves:
            wrong.append("moves")
        if spent > most_time:
            wrong.append("time")
        if peak > MEMORY_MIB:
            wrong.append("memory")
        wrong += self.read_again(end + ".balanced", score)
        print(f"fast  {kind:6} {nodes:4}/{instances:<5} "
              f"score {score:11.8f} MUST {most_score:7} "
              f"moves {moves:5} MUST {most_moves or '-':5} "
              f"{spent:6.2f} s MUST {most_time:2} {peak:4.0f} MiB  "
              f"{self.judge(wrong)}", flush=True)
        return score

    def read_again(self, path, score):
        again = subprocess.run([self.a.reference, "-t", path, "-l", "0"],
                               capture_output=True, text=True)
        text = again.stdout
        wrong = []
        if f"Initial score: {score:.8f}\n" not in text:
            wrong.append("the reference scores it otherwise")
        if "0 bad nodes, 0 bad instances" not in text or again.stderr:
            wrong.append("the reference finds bad nodes or warns")
        return wrong

    def deadline(self, kind, nodes, instances, seconds, most, final):
        path = self.cluster(kind, nodes, instances)
        spent, out, good, _ = self.timed(
            [self.ours, "--search=fast", "-t", path, f"--deadline={seconds}s"])
        score = final_of(out)
        wrong = [] if good and score <= most * final else ["score"]
        print(f"fast  {kind:6} {nodes:4}/{instances:<5} --deadline "
              f"{seconds:g}s: score {score:.8f}, {score / final:.2f} times the "
              f"final one, MUST {most}; {spent:.2f} s  {self.judge(wrong)}",
              flush=True)

    def growth(self, kind):
        points = []
        for nodes, instances in GROWTH:
            path = self.cluster(kind, nodes, instances)
            # Without a bound on the effort, so that it is all of the work.
            spent, out, _, _ = self.often(
                [self.ours, "--search=fast", "-t", path,
                 "--max-effort=1000000000000"])
            points.append((nodes * instances, spent))
            print(f"growth {kind:6} {nodes:4}/{instances:<5} {spent:8.3f} s "
                  f"score {final_of(out):.8f}", flush=True)
        exponent = slope(points)
        print(f"growth {kind:6} CPU ~ (nodes x instances)^{exponent:.2f}",
              flush=True)
        return points, exponent

    def curve(self, kind, nodes, instances):
        """Score against moves: after each move of the reference, which is its
        plan for so many moves; and of our plans for so many moves."""
        path = self.cluster(kind, nodes, instances)
        out = self.timed([self.ours, "--n1-rule=3.0", "--search=exact", "-t",
                          path])[1]
        scores = [float(x) for x in re.findall(r"([0-9.]+) a=", out)]
        first = float(re.search(r"^Initial score: ([0-9.]+)$", out,
                                re.M).group(1))
        theirs = list(enumerate([first] + scores))
        longest = self.timed(
            [self.ours, "--search=fast", "-t", path])[1].count(" a=")
        ours = [(0, first)]
        for k in range(1, PLANS + 1):
            most = longest * k // PLANS
            out = self.timed([self.ours, "--search=fast", "-t", path, "-l",
                              str(most)])[1]
            ours.append((out.count(" a="), final_of(out)))
        return [theirs, ours]


def final_of(out):
    found = re.search(r"improved from [0-9.]+ to ([0-9.]+)", out)
    return float(found.group(1)) if found else math.nan


def slope(points):
    """Of the line through the logarithms, by least squares."""
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - mx) * (y - my) for x, y in zip(xs, ys))
            / sum((x - mx) ** 2 for x in xs))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--reference", default="/usr/bin/hbal")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=400,
                        help="CPU seconds for one run of the reference")
    parser.add_argument("--only",
                        choices=["exact", "fast", "growth", "curves"])
    parser.add_argument("--plots", help="the folder to draw plots into")
    a = parser.parse_args()
    if not os.path.exists(a.reference):
        print(f"SKIPPED: there is no {a.reference}; nothing was measured")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        b = Bench(a, folder)
        if a.only in (None, "exact"):
            for r in EXACT:
                b.exact(*r)
        if a.only in (None, "fast"):
            scores = {r[:3]: b.fast(*r) for r in FAST}
            b.deadline(*DEADLINE, scores[DEADLINE[:3]])
        if a.only in (None, "growth"):
            growth = {kind: b.growth(kind) for kind in ("drbd", "shared")}
            if a.plots:
                plots.draw_growth(a.plots, growth)
        if a.plots and a.only in (None, "curves"):
            for kind in ("drbd", "shared"):
                plots.draw_curve(a.plots, kind,
                                        b.curve(kind, 80, 700))
    return 0 if b.good else 1


if __name__ == "__main__":
    sys.exit(main())
