#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What an orderlyd that is a service finds around it: a luxid at FOLDER/luxi
that tells of a few nodes, and their node daemons. Each node's power is switched
by another one of the shipped helpers. For run.py."""
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.realpath(os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../programs")))
from made_up_cluster import Luxid
from siege_nodes import Daemons, records

PLACE = "/usr/lib/orderly/helpers/"
HELPERS = {1: "oob-ipmi", 2: "oob-redfish", 3: "oob-fence-agent"}


def main():
    folder, port = sys.argv[1], int(sys.argv[2])
    luxid = Luxid(folder + "/luxi", 4, 8)
    luxid.tables["node"] = [
        row | {"ndp/oob_program": PLACE + HELPERS[n] if n in HELPERS else ""}
        for n, row in enumerate(records(4))]
    Daemons(4, port)
    while True:
        time.sleep(60)


main()
