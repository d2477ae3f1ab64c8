# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What the units must do under a systemd, one after the other. For run.py."""
import json
import re

from machine import need, until

SOCKET = "/run/orderly/orderly.sock"
PAUSE = "kept through all of this"
READERS = "/run/orderly/readers.sock"
WORLD = "/run/made-up"
BMC = "/etc/orderly/bmc"  # other folders are hidden from the unit
SETTINGS = """\
[leader]
own_node = "node0"
[cluster]
luxi_socket = "%s/luxi"
poll_interval = "1s"
[host_ha]
daemon_port = 1811
monitor_port = 0
check_interval = "2s"
[journal]
lost_linger = "1s"
[http]
port = 1816
""" % WORLD
SERVICE = """\
[Service]
Type=%s
Environment=BMC_DIR=%s PYTHONDONTWRITEBYTECODE=1
RemainAfterExit=%s
ExecStart=/opt/orderly/tests/testbed/%s
"""


def asked(machine, *words):
    return json.loads(machine.do("orderly", "--output", "json", *words))


def healthy(machine):
    """It is active, holds the right to act and answers; its process."""
    until(30, "orderlyd is not active", lambda: machine.shown(
        "orderlyd", "ActiveState") == "active")
    until(30, "orderlyd has no right to act",
          lambda: asked(machine, "status")["right_to_act"]["held"])
    return machine.pid()


def still_paused(machine):
    """What was acknowledged is known to each life of orderlyd."""
    said = asked(machine, "status")["guard"]["paused_by"]
    need(PAUSE in said, "the pause is forgotten: %r" % said)


def new_life(machine, old, seconds=20):
    until(seconds, "systemd does not start orderlyd again",
          lambda: machine.pid() not in (0, old))
    healthy(machine)


def starts(machine):
    """it is ready, reads the cluster, and its files are nobody else's"""
    machine.put("/etc/orderly/orderly.toml", SETTINGS)
    machine.put("/etc/systemd/system/made-up.service", SERVICE % (
        "simple", BMC, "no", "systemd/world.py %s 1811" % WORLD), "644")
    machine.put("/etc/systemd/system/bmc.service", SERVICE % (
        "oneshot", BMC, "yes", "bmc.sh up 3"), "644")
    machine.do("mkdir", "-p", WORLD)
    machine.do("systemctl", "daemon-reload")
    machine.do("systemd-analyze", "verify", "orderlyd.service",
               "orderlyd.socket", "orderly-agent.service")
    machine.do("systemctl", "start", "made-up", "bmc")
    machine.do("cp", BMC + "/helpers.conf", "/etc/orderly/helpers.conf")
    machine.do("systemctl", "start", "orderlyd")
    healthy(machine)
    modes = machine.do("stat", "-c", "%a %U", SOCKET,
                       "/var/lib/orderly/journal.db", "/var/lib/orderly")
    need(modes.split("\n")[:3] == ["600 root", "600 root", "700 root"],
         "modes of socket, journal and its folder: " + modes)
    machine.do("orderly", "pause", "--reason", PAUSE)
    need("serves" in machine.log(), "nothing of it is in the log of systemd")


def confined(machine):
    """it has none of the rights that the unit takes away"""
    with open("/proc/%s/status" % inner(machine), encoding="ascii") as file:
        state = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    for key in ("CapPrm", "CapEff", "CapBnd", "CapAmb"):
        need(int(state[key], 16) == 0, key + " is not empty: " + state[key])
    need(state["NoNewPrivs"].strip() == "1", "new privileges are possible")
    need(state["Seccomp"].strip() == "2", "no filter of system calls")
    within = ("nsenter", "--target", str(machine.pid()), "--mount", "--")
    for path in ("/usr/sbin/x", "/etc/orderly/x", "/sys/x", "/srv/x",
                 "/root/x", "/home/x"):
        need(machine.run(*within, "touch", path).returncode != 0,
             path + " can be written")
    machine.do(*within, "touch", "/var/lib/orderly/x")
    machine.do(*within, "rm", "/var/lib/orderly/x")
    said = machine.do("systemd-analyze", "security", "--no-pager", "orderlyd")
    level = float(re.search(r"exposure level for .*: ([0-9.]+)", said)[1])
    need(level <= 1.4, "exposure level %.1f" % level)


def inner(machine):
    """The process of orderlyd as this machine counts."""
    path = "/proc/%d/root/sys/fs/cgroup/system.slice/orderlyd.service/" \
        "cgroup.procs" % machine.first
    with open(path, encoding="ascii") as file:
        return file.read().split()[0]


def helpers(machine):
    """all three shipped helpers switch, read and look"""
    nodes = ["node1", "node2", "node3"]
    machine.do("orderly", "--timeout", "60", "power", "on", "--yes", *nodes)
    said = machine.do("orderly", "--timeout", "60", "power", "status")
    for node in nodes:
        need(re.search(node + " +on\n", said), "power: " + said)
    said = machine.run("orderly", "--timeout", "60", "health", *nodes).stdout
    for item in ("CPU Temp=OK", "PSU1=UNKNOWN", "power controller=OK"):
        need(item in said, "no %s: %s" % (item, said))


def credentials(machine):
    """a helper has its password from systemd, plain and encrypted"""
    plain = BMC + "/node1.password"
    machine.do("systemd-creds", "encrypt", "--with-key=host", "--name=bmc",
               plain, "/etc/orderly/bmc.cred")
    place = "/run/credentials/orderlyd.service/bmc"
    machine.do("sed", "-i", "s,= %s$,= %s," % (plain, place),
               "/etc/orderly/helpers.conf")
    for line in ("LoadCredential=bmc:" + plain,
                 "LoadCredentialEncrypted=bmc:/etc/orderly/bmc.cred"):
        need("CPU Temp=OK" not in machine.run("orderly", "health",
                                              "node1").stdout,
             "a password is found that is not there")
        machine.drop_in("orderlyd.service", "password", line + "\n")
        machine.do("systemctl", "restart", "orderlyd")
        healthy(machine)
        said = machine.run("orderly", "--timeout", "60", "health",
                           "node1").stdout
        need("CPU Temp=OK" in said, line + ": " + said)
        machine.drop_in("orderlyd.service", "password", None)
        machine.do("systemctl", "restart", "orderlyd")
        healthy(machine)
    machine.do("cp", BMC + "/helpers.conf", "/etc/orderly/helpers.conf")


def reload(machine):
    """systemctl reload takes new settings, and keeps the old for bad ones"""
    first = healthy(machine)
    for text, said in ((SETTINGS + "[power]\nnone = 1\n",
                        "settings not reloaded"),
                       (SETTINGS + "[budget]\nfences_per_hour_max = 3\n",
                        "settings reloaded"),
                       (SETTINGS, "settings reloaded")):
        count = machine.log().count(said)
        machine.put("/etc/orderly/orderly.toml", text)
        machine.do("systemctl", "reload", "orderlyd")
        until(20, "not told: " + said,
              lambda: machine.log().count(said) > count)
    need(healthy(machine) == first, "reloading began another process")


def killed(machine):
    """after a kill it is there again, and so is what was acknowledged"""
    old = machine.pid()
    machine.do("kill", "-KILL", str(old))
    new_life(machine, old)
    still_paused(machine)


def hung(machine):
    """one that hangs is ended by the watchdog, and begun again"""
    machine.drop_in("orderlyd.service", "watchdog", "WatchdogSec=4s\n")
    machine.do("systemctl", "restart", "orderlyd")
    old = healthy(machine)
    # For longer than that it is fed.
    need(machine.run("sleep", "6").returncode == 0 and machine.pid() == old,
         "the watchdog ends one that is well")
    machine.do("kill", "-STOP", str(old))
    new_life(machine, old)
    need("Failed with result 'watchdog'" in machine.log(),
         "it was not the watchdog that ended it")
    still_paused(machine)
    machine.drop_in("orderlyd.service", "watchdog", None)


def again_and_again(machine):
    """systemd never gives up, however often it ends"""
    machine.drop_in("orderlyd.service", "soon", "RestartSec=50ms\n")
    for _ in range(12):
        old = until(20, "it is not started any more", machine.pid)
        machine.do("kill", "-KILL", str(old))
        until(20, "it is not started again",
              lambda: machine.pid() not in (0, old))
    healthy(machine)
    machine.drop_in("orderlyd.service", "soon", None)
    still_paused(machine)


def too_small(machine):
    """with too little memory it says so and is begun until there is enough"""
    machine.drop_in("orderlyd.service", "small",
                    "LimitAS=120M\nRestartSec=100ms\n")
    machine.run("systemctl", "restart", "orderlyd")
    until(20, "it is not started again and again",
          lambda: int(machine.shown("orderlyd", "NRestarts")) > 3)
    need("not enough memory" in machine.log(), "it does not say why")
    machine.drop_in("orderlyd.service", "small", None)
    healthy(machine)
    still_paused(machine)


def taken_away(machine):
    """without its journal it ends with 3, and waits for a person"""
    machine.do("mv", "/var/lib/orderly/journal.db", "/var/lib/away.db")
    machine.run("orderly", "pause", "--reason", "into nothing")
    until(30, "it goes on without its journal", lambda: machine.shown(
        "orderlyd", "ActiveState") == "failed")
    need(machine.shown("orderlyd", "ExecMainStatus") == "3", "exit code "
         + machine.shown("orderlyd", "ExecMainStatus"))
    machine.do("mv", "/var/lib/away.db", "/var/lib/orderly/journal.db")
    machine.do("systemctl", "start", "orderlyd")
    healthy(machine)
    still_paused(machine)


def sockets(machine):
    """orderlyd.socket holds the places, and who comes starts the daemon"""
    machine.do("systemctl", "stop", "orderlyd")
    machine.do("systemctl", "start", "orderlyd.socket")
    squat = ("python3", "-c", "import socket; socket.create_server("
             "('127.0.0.1', 1816))")
    need(machine.run(*squat).returncode != 0, "the port is there to be taken")
    need(machine.pid() == 0, "nobody came, and it runs")
    still_paused(machine)
    healthy(machine)
    machine.do("curl", "-sf", "http://127.0.0.1:1816/healthz")
    machine.do("systemctl", "restart", "orderlyd")
    healthy(machine)
    machine.do("systemctl", "stop", "orderlyd.socket", "orderlyd")
    machine.do(*squat)
    machine.do("systemctl", "start", "orderlyd")
    healthy(machine)


def readers(machine):
    """with readers.conf a group may read, others not, and nobody there order"""
    machine.put("/etc/orderly/orderly.toml", SETTINGS + (
        'reader_socket = "%s"\nreader_group = "adm"\n' % READERS))
    machine.shipped_drop_in("readers")
    machine.do("systemctl", "restart", "orderlyd")
    healthy(machine)

    def as_one_of(group, *words):
        return machine.run("setpriv", "--reuid=nobody", "--regid=" + group,
                           "--clear-groups", "orderly", "--socket", READERS,
                           *words)
    said = as_one_of("adm", "nodes")
    need(said.returncode == 0 and "node2" in said.stdout, said.stdout)
    need(as_one_of("nogroup", "nodes").returncode == 6, "others may read")
    need(as_one_of("adm", "resume").returncode != 0,
         "readers give orders")
    still_paused(machine)
    machine.drop_in("orderlyd.service", "readers", None)
    machine.put("/etc/orderly/orderly.toml", SETTINGS)


def addresses(machine):
    """with addresses.conf it and its helpers reach what is named alone"""
    machine.shipped_drop_in("addresses")
    machine.do("systemctl", "restart", "orderlyd")
    healthy(machine)
    machine.do("orderly", "--timeout", "60", "power", "status")
    # The same without this machine's own addresses: the lines have an effect.
    machine.drop_in("orderlyd.service", "zz", "IPAddressAllow=\n"
                    "IPAddressAllow=10.0.0.0/8\n")
    machine.do("systemctl", "restart", "orderlyd")
    said = machine.run("orderly", "--timeout", "60", "power", "status").stdout
    need(not re.search("node1 +on\n", said), "who is not named is reached")
    for name in ("zz", "addresses"):
        machine.drop_in("orderlyd.service", name, None)
    machine.do("systemctl", "restart", "orderlyd")
    healthy(machine)


def agent(machine):
    """orderly-agent.service starts, reloads, and is there again after a kill"""
    machine.put("/etc/orderly/agent.toml", """\
[http]
address = "127.0.0.1"
tls = false
[node]
name = "node0"
uuid = "00000001-0000-4000-8000-000000000000"
""")
    machine.put("/var/lib/ganeti/hmac.key", "key of the cluster\n")
    machine.put("/var/lib/ganeti/ssconf_cluster_name", "made-up\n")
    machine.put("/var/lib/ganeti/ssconf_cluster_tags",
                "orderly:diagnose:disks\n")
    machine.put("/etc/ganeti/node-diagnose-commands/disks",
                "#!/bin/sh\necho '{\"status\": \"Ok\"}'\n", "755")
    machine.do("systemctl", "start", "orderly-agent")
    ask = ("curl", "-sf", "http://127.0.0.1:1817/1/report/node/diagnose")
    until(20, lambda: "no report: " + machine.log("orderly-agent"),
          lambda: '"status": "Ok"}' in machine.run(*ask).stdout)
    old = machine.pid("orderly-agent")
    machine.do("systemctl", "reload", "orderly-agent")
    machine.do(*ask)
    need(machine.pid("orderly-agent") == old, "reloading began another")
    for signal in ("KILL", "TERM"):
        machine.do("kill", "-" + signal, str(old))
        until(20, "it is not started again after SIG" + signal,
              lambda: machine.pid("orderly-agent") not in (0, old)
              and machine.run(*ask).returncode == 0)
        old = machine.pid("orderly-agent")
    machine.do("systemctl", "stop", "orderly-agent")


def stops(machine):
    """it ends when told to, in order, and leaves no process"""
    machine.do("orderly", "resume")
    group = "/sys/fs/cgroup" + machine.shown("orderlyd", "ControlGroup")
    machine.do("systemctl", "stop", "orderlyd")
    need(machine.shown("orderlyd", "Result") == "success"
         and machine.shown("orderlyd", "ExecMainStatus") == "0",
         "it ended with " + machine.shown("orderlyd", "ExecMainStatus"))
    need("stopped in order" in machine.log(), "it did not stop in order")
    need(machine.run("grep", "-q", ".", group + "/cgroup.procs").returncode
         != 0, "a process is left")
