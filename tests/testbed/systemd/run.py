#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""The units as they are shipped, under a systemd that was booted for this.

Exit 0: all as it must be; 1: a line says what is not; 77: no systemd can be
booted on this machine.
"""
import argparse
import os
import sys
import time

sys.dont_write_bytecode = True  # nothing is left beside the sources

import steps
from machine import Failed, Machine, NEEDS, control_groups

STEPS = (steps.starts, steps.confined, steps.helpers, steps.credentials,
         steps.reload, steps.killed, steps.hung, steps.again_and_again,
         steps.too_small,
         steps.taken_away, steps.sockets, steps.readers, steps.addresses,
         steps.agent, steps.stops)


def why_not():
    """Why this cannot run here; empty: it can."""
    if os.geteuid() != 0:
        return "namespaces and mounts are root's"
    if control_groups() is None:
        return "no control groups of the second kind"
    places = os.defpath.split(":") + ["/usr/sbin", "/sbin", "/usr/bin"]
    for name in NEEDS:
        if not any(os.path.exists(p + "/" + name) for p in places if p):
            return name + " is missing"
    with open("/proc/filesystems", encoding="ascii") as file:
        if "overlay" not in file.read().split():
            return "the kernel has no overlay file system"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True,
                        help="the folder with orderlyd, orderly, orderly-agent")
    parser.add_argument("--only", help="one step, by name (starts goes first)")
    args = parser.parse_args()
    if why := why_not():
        print("no systemd is booted here: " + why)
        return 77
    machine = Machine(os.path.realpath(args.programs))
    try:
        for step in STEPS:
            if args.only and step not in (steps.starts,
                                          getattr(steps, args.only)):
                continue
            began = time.monotonic()
            step(machine)
            print("%-15s %5.1f s  %s" % (step.__name__.replace("_", "-"),
                                         time.monotonic() - began,
                                         step.__doc__.split("\n")[0]),
                  flush=True)
    except Failed as why:
        print("%s: %s" % (step.__name__.replace("_", "-"), why))
        print(machine.run("systemctl", "status", "--no-pager", "-n", "0",
                          "orderlyd").stdout)
        print("\n".join(machine.log("*").splitlines()[-25:]))
        return 1
    finally:
        machine.end()
    return 0


sys.exit(main())
