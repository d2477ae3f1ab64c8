#!/usr/bin/env python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What planning across groups reaches, and what it costs.

Emptying: of 100 drawn clusters with 30 rooms in three groups, each filled to a
part by two to four instances of the fourth group, how many are found, with the
CPU seconds of the slowest. Load: groups of which every second one has lost seven
of ten instances; planned once more nothing may move. Then the large cluster:
5,000 nodes of doubled size, 100,000 instances less those on disks of one node,
50 groups, made well by hbal for the last two rows. User CPU of whole processes.
Ends with 1 if a row is not reached.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True  # the tree stays as it is
sys.path.insert(0, FOLDER)
from alloc_bench import bench_options, timed  # noqa: E402

WHOLE = 262144
GIB = 1024
POLICY = ("1024,1,1024,1,1,1|1,1,1,1,1,1;1048576,64,1048576,16,8,64|ext,plain|"
          "4.0|1000.0")


def node_line(name, free, group):
    return (f"{name}|{WHOLE}|0|{free}|1048576|1047552|64|N|uuid-{group}|64||N|0"
            f"|1|1.0")


def instance_line(name, memory, node, template):
    return f"{name}|{memory}|1024|1|running|Y|{node}||{template}||1"


def planted(path, seed, percent):
    """The last of four groups fits into the others, for certain."""
    dice = random.Random(f"{seed}/{percent}")
    nodes, instances, leaving = [], [], []

    def held(node, group, room):
        nodes.append(node_line(node, room, group))
        instances.append(instance_line(f"stays-{node}", WHOLE - room, node,
                                       "plain"))
    for group in range(3):
        most = 0
        for k in range(10):
            sizes = [5 * GIB + 64 * dice.randrange(161)
                     for _ in range(dice.randint(2, 4))]
            leaving += sizes
            most = max(most, sum(sizes))
            held(f"n{group}-{k}", group, sum(sizes) * 100 // percent + 1)
        # Room for the fullest node if it dies, and for little more.
        held(f"n{group}-spare", group, most + GIB)
    dice.shuffle(leaving)
    free = [WHOLE] * 11
    for k, size in enumerate(leaving):
        free[k % 11] -= size
        instances.append(instance_line(f"goes-{k}", size, f"n3-{k % 11}",
                                       "ext"))
    nodes += [node_line(f"n3-{k}", free[k], 3) for k in range(11)]
    names = [f"rack{g}" for g in range(4)]
    with open(path, "w", encoding="ascii") as f:
        f.write("\n".join([
            *(f"{x}|uuid-{g}|preferred||" for g, x in enumerate(names)), "",
            *nodes, "", *instances, "", "",
            f"|{POLICY}", *(f"{x}|{POLICY}" for x in names)]) + "\n")


def told(good, what, figures):
    print(f"{what:40} {figures:58} {'good' if good else 'OPEN'}", flush=True)
    return good


def hgroups(a, words):
    spent, out, _ = timed([a.ours, "hgroups", "--output=json", *words],
                          a.limit)
    return spent, json.loads(out)


def emptying(a, folder):
    good = True
    for percent, least in ((90, 100), (95, 100), (97, 80)):
        found, slowest, rounds = 0, 0, 0
        for seed in range(1, 101):
            path = os.path.join(folder, "planted")
            planted(path, seed, percent)
            spent, answer = hgroups(a, ["empty", "rack3", "-t", path,
                                        "--group-moves=asked"])
            x = answer["verdicts"][0]
            assert x["verdict"] != "cannot", (seed, percent)
            found += x["verdict"] == "can"
            slowest = max(slowest, spent)
            rounds = max(rounds, x["rounds"] - x["most_moves"])
        good &= told(found >= least and slowest <= 1 and rounds <= 1,
                     f"emptying, rooms filled to {percent} %",
                     f"{found} of 100 (must {least}), at most {slowest:.2f} s, "
                     f"{rounds} rounds above the bound")
    return good


def cells_of(line):
    """The fields of an instance's line, or of a node's; none of others."""
    cells = line.split("|")
    if len(cells) > 9:
        return ("node" if "|uuid-" in line else "instance"), cells
    return "", cells


def without(lines, is_gone):
    """The cluster without some instances: nodes have what they took."""
    free, disk, kept = {}, {}, []
    for line in lines:
        kind, cells = cells_of(line)
        if kind != "instance" or not is_gone(cells):
            kept.append(line)
            continue
        free[cells[6]] = free.get(cells[6], 0) + int(cells[1])
        if cells[8] in ("plain", "drbd"):
            for node in filter(None, cells[6:8]):
                disk[node] = disk.get(node, 0) + int(cells[2])
    for k, line in enumerate(kept):
        kind, cells = cells_of(line)
        if kind == "node":
            cells[3] = str(int(cells[3]) + free.get(cells[0], 0))
            cells[5] = str(int(cells[5]) + disk.get(cells[0], 0))
            kept[k] = "|".join(cells)
    return kept


def lines_of(path):
    with open(path, encoding="ascii") as f:
        return f.read().split("\n")


def write(path, lines):
    with open(path, "w", encoding="ascii") as f:
        f.write("\n".join(lines))
    return path


def large(a, folder):
    """Without instances on disks of one node, which cannot go anywhere; and
    the same after hbal has made every group well."""
    made = subprocess.run(
        [sys.executable, os.path.join(FOLDER, "gen.py"), "5000", "100000",
         "mixed", "--groups=50", "--times=2"], capture_output=True, text=True,
        check=True).stdout
    raw = write(os.path.join(folder, "large"),
                without(made.split("\n"), lambda x: x[8] == "plain"))
    well = write(os.path.join(folder, "well"), lines_of(raw))
    for k in range(1, 51):
        subprocess.run([a.ours, "hbal", "-q", "--search=fast",
                        "--shared-n1=constraint", "-G", f"group-{k:02d}", "-t",
                        well, "-S", well], capture_output=True, check=True)
        os.replace(well + ".balanced", well)
    return raw, well


def redistributed(a, path):
    dead = [x for n in range(25)
            for x in ("-O", f"node{n * 199 + 7:04d}.cl.example.com")]
    spent, x = hgroups(a, ["redistribute", "-q", "--group-moves=repair", "-t",
                           path, *dead])
    return told(spent <= 20 and x["reached"],
                "large: redistribution, 25 lost nodes",
                f"{spent:.1f} s (must 20), {len(x['moves'])} moves, "
                f"{sum(g['healed'] for g in x['groups'])} of "
                f"{len(x['groups'])} groups healed")


def evened(a, what, path, most):
    spent, x = hgroups(a, ["load", "-q", "--group-moves=auto", "-t", path])
    m = x["measures"][0]
    part = ((m["score_before"] - m["score_after"])
            / (m["score_before"] - m["bound"]))
    again, y = hgroups(a, ["load", "-q", "--group-moves=auto", "-t", path,
                           "-S", path])
    _, y = hgroups(a, ["load", "-q", "--group-moves=auto", "-t",
                       path + ".after"])
    return told(min(spent, again) <= most and part >= 0.95 and not y["moves"],
                what,
                f"{min(spent, again):.1f} s (must {most}), {100 * part:.1f} % "
                f"of the gap (must 95), then {len(y['moves'])} moves")


def uneven(folder, path, name):
    """Seven of ten instances of every second group are gone."""
    lines = lines_of(path)
    group = {c[0]: int(c[8].rsplit("-", 1)[1]) for kind, c in
             map(cells_of, lines) if kind == "node"}
    count = iter(range(10**9))
    return write(os.path.join(folder, name), without(
        lines,
        lambda x: group[x[6]] % 2 == 0 and next(count) % 10 < 7))


def eight_groups(folder):
    made = subprocess.run(
        [sys.executable, os.path.join(FOLDER, "gen.py"), "160", "1300",
         "shared", "--groups=8"], capture_output=True, text=True,
        check=True).stdout
    return uneven(folder, write(os.path.join(folder, "eight"),
                                made.split("\n")), "uneven-eight")


def verdicts(a, path):
    spent = 0
    seen = {}
    for k in range(1, 51):
        cpu, answer = hgroups(a, ["empty", f"group-{k:02d}", "-t", path,
                                  "--group-moves=asked"])
        spent += cpu
        word = answer["verdicts"][0]["verdict"]
        seen[word] = seen.get(word, 0) + 1
    return told(spent <= 60, "large: 50 verdicts, a process each",
                f"{spent:.1f} s (must 60), {seen}")


def converted(path):
    """The same cluster as a request for a new instance on shared storage."""
    script = os.path.join(FOLDER, "iallocator.py")
    made = subprocess.run([sys.executable, script, path, "ext"],
                          capture_output=True, text=True, check=True).stdout
    return write(path + ".json", made.split("\n"))


def other_questions(a, raw, well):
    spent, out, ended = timed([a.ours, "hail", converted(raw)], a.limit)
    good = told(ended and spent <= 2, "large: hail, one on shared storage",
                f"{spent:.1f} s (must 2), success: "
                f"{json.loads(out)['success']}")
    spent, out, _ = timed([a.ours, "hroller", "--output=json", "-q", "-G",
                           "group-07", "-t", raw], a.limit)
    x = json.loads(out)
    good &= told(spent <= 2, "large: hroller of a group",
                 f"{spent:.1f} s (must 2), {len(x['rounds'])} rounds, "
                 f"{len(x['stuck'])} nodes stuck")
    spent, out, _ = timed([a.ours, "hwhatif", "--output=json", "-q", "-t",
                           well, "lose=node0007.cl.example.com"], a.limit)
    x = json.loads(out or '{"verdict": "no answer", "moves": []}')
    return good & told(spent <= 5, "large, made well: a node dies",
                       f"{spent:.1f} s (must 5), {x['verdict']}, "
                       f"{len(x['moves'])} moves")


def main():
    a = bench_options(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        good = emptying(a, folder)
        good &= evened(a, "load, 8 groups, 160 nodes", eight_groups(folder), 5)
        raw, well = large(a, folder)
        good &= verdicts(a, raw)
        good &= redistributed(a, well)
        good &= other_questions(a, raw, well)
        good &= evened(a, "large: load", uneven(folder, well, "uneven"), 5)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
