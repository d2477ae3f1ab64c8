# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Mirrors of drbd instances: how Ganeti sees them, and how they get faulty.

The testbed's drbd is simulated by state files (../ganeti/fakedrbd.py).
"""
import glob
import json

from bed import full, wait_until

DISK_OKAY = 1  # Ganeti's constant for a local disk

def details(bed, instance):
    """The first disk of an instance, as its nodes see it just now."""
    number = bed.send({"OP_ID": "OP_INSTANCE_QUERY_DATA",
                       "instances": [full(instance)], "static": False,
                       "use_locking": False})

    def ended():
        return bed.query("job", ["end_ts", "opresult"],
                         ["=", "id", number])[0]
    row = wait_until(60, "job %d, which looks at the mirror of %s, ends"
                     % (number, instance), lambda: ended()["end_ts"]
                     and ended())
    return row["opresult"][0][full(instance)]["disks"][0]


def is_whole(disk):
    """Nothing degraded, both disks there."""
    return all(status and not status[5] and status[6] == DISK_OKAY
               for status in (disk["pstatus"], disk["sstatus"]))


def lose_disk(bed, instance, node):
    """The mirror is without its disk on that node."""
    port = details(bed, instance)["drbd_info"]["port"]
    states = glob.glob("%s/nodes/%s/run/testbed/drbd/[0-9]*"
                       % (bed.folder, node))
    links = glob.glob("%s/links/%d-*.%d"
                      % (bed.folder, port, 10 + int(node[4:])))
    for path in states + links:
        with open(path, encoding="ascii") as file:
            state = json.load(file)
        if state["port"] == port:
            with open(path, "w", encoding="ascii") as file:
                json.dump(dict(state, local=False), file)
