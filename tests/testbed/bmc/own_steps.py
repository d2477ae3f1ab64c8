# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What oob-testbed has to stand: it speaks to the testbed's controller over a
socket, which is here a thread, and misbehaves as it is told."""
import json
import os
import socket
import threading

NODE = "node7.gnt.test"


class Controller:
    """Answers as the testbed's controllers do: "on" or "off"."""

    def __init__(self, folder):
        os.makedirs(folder + "/oob")
        self.mode = folder + "/oob/node7.mode"
        self.state = "off"
        self.asked = []
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(folder + "/bmc.sock")
        self.socket.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            line, _ = self.socket.accept()
            with line:
                words = line.makefile().read().split()
                self.asked.append(words)
                if words[0] in ("power-on", "power-off"):
                    self.state = words[0][6:]
                line.sendall((self.state + "\n").encode())

    def misbehave(self, mode):
        with open(self.mode, "w", encoding="utf-8") as file:
            file.write(mode + "\n")

    def behave(self):
        os.unlink(self.mode)


def the_good_way(rig, controller):
    """on, off, cycle, status and health are done"""
    rig.does("power-on")
    rig.reads("on")
    rig.does("power-cycle")
    rig.does("power-off")
    rig.reads("off")
    rig.fails("power-cycle", "the machine is off")
    said = json.loads(rig.daemon("health")["out"])
    rig.must(said == [["disk0", "OK"], ["psu1", "OK"]], "all must be OK")
    told = [x[0] for x in controller.asked if x[0] in ("power-on",
                                                       "power-off")]
    rig.must(told == ["power-on", "power-off", "power-on", "power-off"],
             "it was told %s" % told)
    rig.must(all(x[1:] == ["node7"] for x in controller.asked),
             "a node has its short name there")


def the_bad_ways(rig, controller):
    """each mode is told by the daemon in its own words"""
    for mode, why in (("fail", "does not answer"),
                      ("exit3", "chassis is locked"),
                      ("garbage", "JSON"), ("hang", "timeout exceeded")):
        controller.misbehave(mode)
        said = rig.daemon("power-status", limit=5)
        rig.must(not said["done"] and said["state"] == "unknown"
                 and why in said["text"], "it must say " + why)
    controller.misbehave("garbage")
    said = rig.daemon("power-off")
    rig.must(not said["done"] and "must print nothing" in said["text"],
             "a word too many must be told")
    controller.misbehave("lies-on")
    rig.does("power-off")
    rig.reads("on")
    controller.misbehave("warn")
    said = dict(json.loads(rig.daemon("health")["out"]))
    rig.must(sorted(said.values()) == ["CRITICAL", "OK", "UNKNOWN",
                                       "WARNING"], "all four words")
    controller.behave()


def run(rig):
    folder = rig.folder + "/testbed"
    controller = Controller(folder)
    path = rig.folder + "/testbed.conf"
    with open(path, "w", encoding="utf-8") as file:
        file.write("[*]\noff_time = 1\n[* oob-testbed]\nfolder = %s\n[%s]\n"
                   % (folder, NODE))
    os.chmod(path, 0o644)
    rig.node = NODE
    rig.patience = "3"  # the daemon's, so that a hang costs no more
    rig.wrap(path)
    the_good_way(rig, controller)
    the_bad_ways(rig, controller)
