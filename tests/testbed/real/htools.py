# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""orderly-htools on the real cluster: as Ganeti's allocator, and reading it.

Every request that Ganeti makes is kept and put to Debian's hail as well.
"""
import json
import os
import re
import shutil
import subprocess
import time

import judge
from bed import full
from judge import need

ALLOCATORS = "/usr/lib/ganeti/iallocators"

# Passes a request on to our hail, and keeps it with options and answer.
KEEPER = """\
#!/bin/sh
to=%(requests)s/$(date +%%s%%N)
cp "$1" $to.json
shift
printf '%%s\\n' "$@" > $to.options
"$(dirname "$0")/hail" $to.json "$@" > $to.answer
code=$?
cat $to.answer
exit $code
"""

NEW = ["-o", "noop", "-H", "fake", "-B", "minmem=256,maxmem=256,vcpus=1",
       "--no-name-check", "--no-ip-check", "--no-wait-for-sync"]
NEW_DISK = ["--disk", "0:size=256M"]

# docs/htools.md lists where ours does not say what the reference says.
DIFFERS = ("having a secondary node offline", "_OFFLINE_SEC=",
           "FINAL_CLUSTER_NEED_REBALANCE=")

LUXI_CALLS = [
    ["hinfo"],
    ["hinfo", "-p", "--print-instances"],
    ["hcheck"],
    ["hcheck", "--machine-readable"],
    ["hbal", "-G", "default", "-C"],
    ["hbal", "-G", "rack2", "-C", "-p", "--print-instances"],
    ["hbal", "-G", "default", "-O", "node2", "--evac-mode", "-C"],
    ["hbal"],  # which group, is not said
]


def hail(course):
    """Ganeti creates, moves and evacuates by our hail, which answers what
    Debian's does; hbal, hinfo and hcheck read luxid as Debian's do."""
    bed = course.bed
    course.began = time.monotonic()
    usual = bed.faults()
    fixed_rooms(bed)
    put_into_place(course)
    tools_agree(course, "well")
    # No instance has node1 as its primary, so there is something to do.
    balanced(course, "default", at_least=1)
    creations(course)
    moves(course)
    other_kinds(course)
    balanced(course, "rack2")
    faults = bed.faults()
    need(faults <= usual, "gnt-cluster verify finds what was not there "
         "before: %s" % sorted(faults - usual))
    bed.mark("node3", drained=True)
    bed.lose("node6")
    tools_agree(course, "one node drained, one dead")
    evacuated(course, "node6", "--secondary-only")
    need(bed.instances()["inst8"]["pnode"] == full("node6"),
         "inst8 should have been on node6")
    where = asking(course, "relocate", "gnt-instance", "failover", "-f", "-I",
                   "kept", "inst8")
    judge.lives_on(bed, "inst8", *short(where))


def fixed_rooms(bed, slope=900000):
    """The nodes show two processors and memory that differs by `slope`, but
    does not change; and of disks those of the simulated volume group."""
    for number in range(1, 7):
        show(bed, number, "meminfo", "MemTotal: 16777216 kB\nMemFree: %d kB\n"
             "Buffers: 0 kB\nCached: 0 kB\nActive: 1048576 kB\n"
             % (16000000 - slope * number))
        show(bed, number, "cpuinfo", "processor : 0\nprocessor : 1\n")
    bed.master("gnt-cluster", "modify", "--enabled-disk-templates="
               "drbd,plain,file,sharedfile,diskless")


def show(bed, number, name, text):
    path = "%s/%s%d" % (bed.folder, name, number)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    bed.call("on", "node%d" % number, "mount", "--bind", path, "/proc/" + name)


def put_into_place(course):
    """Ours is `hail`, and `kept` asks it, on the master node; only there, and
    until it boots: the folder covers the machine's own in its namespace."""
    bed = course.bed
    course.requests = bed.folder + "/requests"
    folder = bed.folder + "/iallocators"
    for path in (course.requests, folder):
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
    os.symlink(course.htools, folder + "/hail")
    with open(folder + "/kept", "w", encoding="ascii") as file:
        file.write(KEEPER % {"requests": course.requests})
    os.chmod(folder + "/kept", 0o755)
    bed.master("mount", "--bind", folder, ALLOCATORS)
    has = bed.master(ALLOCATORS + "/hail", "--version")
    need("(orderly)" in has, "Ganeti's hail should be ours, is: " + has)


def run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=240, check=False)
    return done.stdout, done.returncode


def asking(course, kind, *command, refused=""):
    """A command during which Ganeti asks hail once; the result it got. If the
    command must fail, it says `refused`."""
    before = set(os.listdir(course.requests))
    out = course.bed.call("on", "node1", *command, check=not refused)
    need(refused in out, "%s should say '%s', says: %s"
         % (" ".join(command), refused, out[-600:]))
    new = [name[:-5] for name in os.listdir(course.requests)
           if name.endswith(".json") and name not in before]
    need(len(new) == 1, "%s: hail was asked %d times"
         % (" ".join(command), len(new)))
    answer = json.loads(same_answer(course.requests + "/" + new[0], kind))
    need(answer["success"] == (not refused), "%s: the answer is %s"
         % (" ".join(command), answer))
    course.mark("%s by %s ... %s: %s" % (
        kind, " ".join(command[:2]), " ".join(command[-2:]),
        answer["info"]))
    return answer["result"]


def same_answer(path, kind):
    """Ours, which must be that of Debian's hail to the letter."""
    with open(path + ".json", encoding="utf-8") as file:
        asked = json.load(file)["request"]["type"]
    need(asked == kind, "Ganeti asks for %s, not %s" % (asked, kind))
    with open(path + ".options", encoding="utf-8") as file:
        options = file.read().split()
    with open(path + ".answer", encoding="utf-8") as file:
        ours = file.read()
    theirs, code = run([ALLOCATORS + "/hail", path + ".json", *options])
    need(code == 0, "Debian's hail ends with %d" % code)
    need(ours.strip() == theirs.strip(), "hail answers to %s:\n%s\nDebian's:"
         "\n%s" % (kind, ours, theirs))
    return ours


def short(names):
    return [name.split(".")[0] for name in names]


def creations(course):
    """One by the link itself, the others by way of the keeper."""
    bed = course.bed
    bed.master("gnt-instance", "add", "-I", "hail", "-t", "drbd", *NEW_DISK,
               *NEW, full("inst21"))
    row = bed.instances()["inst21"]
    need(row["status"] == "running" and len(row["snodes"]) == 1,
         "inst21 was created by hail and is %s" % row)
    course.mark("inst21 was created on %s"
                % short([row["pnode"], *row["snodes"]]))
    add = ["gnt-instance", "add", "-I", "kept", *NEW_DISK, *NEW]
    where = asking(course, "allocate", *add, "-t", "plain", full("inst22"))
    judge.lives_on(bed, "inst22", *short(where))
    # In a request for shared files Ganeti says that no node has any disk, so
    # that no node with volumes could be lost.
    asking(course, "allocate", *add, "-t", "sharedfile", full("inst23"),
           refused="FailN1")
    bed.master("gnt-cluster", "modify", "--default-iallocator=kept",
               "--default-iallocator-params=-no-capacity-checks")
    where = asking(course, "allocate", "gnt-instance", "add", *NEW_DISK, *NEW,
                   "-t", "sharedfile", full("inst23"))
    judge.lives_on(bed, "inst23", *short(where))


def evacuated(course, node, option):
    """Its instances are where hail said; how many were moved."""
    moved, failed, _ = asking(course, "node-evacuate", "gnt-node", "evacuate",
                              "-f", "-I", "kept", option, node)
    need(moved and not failed, "evacuated: %s, failed: %s" % (moved, failed))
    for name, _, nodes in moved:
        judge.lives_on(course.bed, name.split(".")[0], *short(nodes))
    return len(moved)


def moves(course):
    bed = course.bed
    evacuated(course, "node5", "--secondary-only")
    evacuated(course, "node5", "--primary-only")
    rows = bed.instances()
    left = [name for name, row in rows.items() if row["pnode"] == full("node5")]
    need(not left, "still on node5: %s" % left)
    where = asking(course, "relocate", "gnt-instance", "replace-disks", "-I",
                   "kept", "inst12")
    judge.lives_on(bed, "inst12", "node4", *short(where))
    where = asking(course, "relocate", "gnt-instance", "failover", "-f", "-I",
                   "kept", "inst3")
    judge.lives_on(bed, "inst3", *short(where))
    where = asking(course, "relocate", "gnt-instance", "migrate", "-f", "-I",
                   "kept", "inst11")
    judge.lives_on(bed, "inst11", *short(where))


def other_kinds(course):
    """Another group, a mirror for a plain instance, several at once."""
    bed = course.bed
    moved, failed, _ = asking(
        course, "change-group", "gnt-instance", "change-group", "-I", "kept",
        "--to", "rack2", "inst5")
    need(not failed, "inst5 cannot change its group: %s" % failed)
    judge.lives_on(bed, "inst5", *short(moved[0][2]))
    bed.master("gnt-instance", "shutdown", "inst10")
    where = asking(course, "allocate-secondary", "gnt-instance", "modify",
                   "-t", "drbd", "-I", "kept", "inst10")
    judge.lives_on(bed, "inst10", "node4", *short([where]))
    bed.master("gnt-instance", "start", "inst10")
    wanted = [{"mode": "create", "instance_name": full(name),
               "disk_template": template, "disks": [{"size": 256}],
               "os_type": "noop", "hypervisor": "fake", "nics": [],
               "name_check": False, "ip_check": False, "wait_for_sync": False,
               "beparams": {"minmem": 128, "maxmem": 128, "vcpus": 1}}
              for name, template in (("inst31", "drbd"), ("inst32", "plain"))]
    with open(course.requests + "/wanted", "w", encoding="ascii") as file:
        json.dump(wanted, file)
    placed, failed = asking(
        course, "multi-allocate", "gnt-instance", "batch-create", "-I", "kept",
        course.requests + "/wanted")
    need(not failed, "not created: %s" % failed)
    for name, nodes in placed:
        judge.lives_on(bed, name.split(".")[0], *short(nodes))


def lines(course, tool, *options):
    """What a tool says of the cluster, and how it ends: ours, Debian's."""
    options = ["--luxi=" + course.bed.socket, *options]
    exact = ["--search=exact"] if tool == "hbal" else []
    ours, code = run([course.htools, tool, *exact, *options])
    theirs, their_code = run([tool, *options])
    return ([ours.splitlines(), code], [theirs.splitlines(), their_code])


def tools_agree(course, state):
    for call in LUXI_CALLS:
        ours, theirs = (
            [[line for line in said if not any(x in line for x in DIFFERS)],
             code] for said, code in lines(course, *call))
        need(ours[0], "%s -L says nothing" % " ".join(call))
        odd = [(a, b) for a, b in zip(ours[0], theirs[0]) if a != b]
        need(ours == theirs, "%s -L ends with %d, Debian's with %d; %d and %d "
             "lines; the first that differ: %s"
             % (" ".join(call), ours[1], theirs[1], len(ours[0]),
                len(theirs[0]), odd[:1]))
    course.mark("%d calls of hinfo, hcheck and hbal say what Debian's say (%s)"
                % (len(LUXI_CALLS), state))


def balanced(course, group, at_least=0):
    """The commands that our hbal writes are carried out by Ganeti as they
    are; then Debian's hbal finds nothing to do."""
    luxi = "--luxi=" + course.bed.socket
    script = course.requests + "/commands-" + group
    said, code = run([course.htools, "hbal", luxi, "-G", group,
                      "--print-commands=" + script])
    found = re.search(r"^Solution length=(\d+)$", said, re.MULTILINE)
    need(code == 0 and found and int(found[1]) >= at_least,
         "hbal of %s ends with %d: %s" % (group, code, said))
    course.bed.master("bash", script)
    theirs, code = run(["hbal", luxi, "-G", group])
    need(code == 0 and ("Nothing to do" in theirs
                        or "No solution found" in theirs),
         "Debian's hbal still finds moves in %s: %s" % (group, theirs))
    course.mark("%s is balanced by %s moves; Debian's hbal finds none"
                % (group, found[1]))
