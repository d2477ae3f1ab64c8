# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What every helper program has to stand, in this order, one function each.
The first line of its text is the rule."""
import json
import os

WRONG_PASSWORD = ("refuses the password", "refuses user",
                  "are user and password right")
NO_PRIVILEGE = ("may not do that", "Timed out waiting to power OFF")
NO_ANSWER = ("did not end in time", "did not answer in time")  # an agent
NOTHING_THERE = ("nothing listens there", *NO_ANSWER)
SILENCE = ("no answer in time", *NO_ANSWER)
# What an agent says, which reads back by itself.
NOT_OFF = ("was not seen off", "Timed out waiting to power OFF", *NO_ANSWER)
NOT_ON = ("was not seen on", "Timed out waiting to power ON", *NO_ANSWER)


TWIN = "same controller as "


def parts(items):
    """Without those about other nodes that name the same controller."""
    return {item: status for item, status in items
            if not item.startswith(TWIN)}


def health(rig):
    """The items of a health report about its own parts, by name."""
    said = rig.daemon("health")
    rig.must(said["done"] and not said["text"], "health failed")
    items = json.loads(said["out"])
    for pair in items:
        rig.must(len(pair) == 2 and isinstance(pair[0], str) and pair[1] in
                 ("OK", "WARNING", "CRITICAL", "UNKNOWN"),
                 "%s is no [item, status]" % pair)
    return parts(items)


def bad_settings(rig):
    """with settings that are not right nothing is sent to a controller"""
    with open(rig.config, encoding="utf-8") as file:
        good = file.read()
    loose = rig.folder + "/" + rig.helper + ".loose"
    with open(loose, "w", encoding="utf-8") as file:
        file.write("secret-%d\n" % rig.number)
    os.chmod(loose, 0o644)
    node = "[node%d]\n" % rig.number
    cases = (
        (good.replace(node, "[other]\n"), 0o644, "knows no node"),
        (good.replace(node, node + "adress = 1\n"), 0o644,
         "there is no key \"adress\""),
        (good.replace(node, node + "address\n"), 0o644, "neither KEY = VALUE"),
        (good.replace(node, node + "read_limit = soon\n"), 0o644,
         "must be a number"),
        (good.replace(node, node + "address = -oProxy\n"), 0o644,
         "address must be printable"),
        (good + "[node%d %s]\npassword_file = %s\n"
         % (rig.number, rig.helper, loose), 0o644,
         "is readable by everybody"),
        (good + "[node%d %s]\npassword_file = /no/such\n"
         % (rig.number, rig.helper), 0o644, "/no/such cannot be read"),
        (good + node + "address = 127.0.1.9\n", 0o644, "is there twice"),
        (good, 0o666, "is writable by its group or by others"),
    )
    path = rig.folder + "/" + rig.helper + ".conf"
    before = calls(rig)
    for text, mode, why in cases:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        for command in ("power-off", "power-status"):
            code, out, err = rig.by_hand("--config", path, command,
                                         rig.node)
            rig.must(code == 1 and not out, "%s: exit code %d" % (why, code))
            rig.must(why in err and "nothing was sent" in err,
                     "\"%s\" must be in: %s" % (why, err))
        rig.say("   " + err.strip())
    rig.must(calls(rig) == before, "a controller was asked")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[other]\nadress = 1\n" + good)  # of somebody else
    os.chmod(path, 0o644)
    code, _, err = rig.by_hand("--config", path, "--check", rig.node)
    rig.must(code == 0, "a mistake about another node: " + err)


def calls(rig):
    try:
        with open(rig.state + "/calls", encoding="utf-8") as file:
            return len(file.readlines())
    except FileNotFoundError:
        return 0


def usage(rig):
    """help has examples and the format, a wrong command line is told"""
    code, out, _ = rig.by_hand("--help")
    for word in ("Examples:", "password_file", "power-cycle", rig.helper):
        rig.must(code == 0 and word in out, "no %s in the help" % word)
    for words in ((), ("power-off",), ("power-of", "node1"),
                  ("power-off", "-x"), ("power-off", "node1", "node2")):
        code, out, err = rig.by_hand(*words)
        rig.must(code == 2 and not out and "--help" in err,
                 "%s: exit code %d" % (words, code))


def off_and_on(rig):
    """off, on and cycle are done, and the reading says so"""
    rig.does("power-off")  # it is so already
    rig.reads("off")
    rig.must(not rig.machine(), "the machine must be off")
    rig.does("power-on")
    first = rig.machine()
    rig.must(first, "the machine must be on")
    rig.reads("on")
    rig.does("power-on")
    rig.must(rig.machine() == first, "it must still be the same machine")
    rig.does("power-cycle")
    second = rig.machine()
    rig.must(second and second != first, "it must have been off and on")
    rig.reads("on")
    rig.does("power-off")
    rig.must(not rig.machine(), "the machine must be off")
    rig.reads("off")


def cycle_of_a_machine_that_is_off(rig):
    """what is off is not switched on by cycle"""
    rig.fails("power-cycle", "the machine is off")
    rig.must(not rig.machine(), "the machine must be off still")
    rig.does("power-on")


def sensors(rig):
    """sensors are told as OK, WARNING or CRITICAL"""
    number = str(rig.number)
    items = health(rig)
    rig.must(items["CPU Temp"] == "OK" and items["Fan1"] == "OK",
             "all must be OK")
    for degrees, word in (("80", "WARNING"), ("90", "CRITICAL")):
        rig.testbed("temp", number, degrees)
        rig.until(lambda: health(rig)["CPU Temp"] == word)
    rig.testbed("fan", number, "600")
    rig.until(lambda: health(rig)["Fan1"] == "CRITICAL")
    rig.testbed("temp", number, "42")
    rig.testbed("fan", number, "4800")
    rig.until(lambda: set(health(rig).values()) <= {"OK", "UNKNOWN"})


def twins(rig):
    """health warns of each other node that names the same controller"""
    said = dict(json.loads(rig.daemon("health")["out"]))
    other = TWIN + "wrong%d" % rig.number
    rig.must(said.get(other) == "WARNING", "must warn: %s" % said)


def sensors_without_values(rig):
    """a sensor that only has states is judged by their words"""
    tools = rig.folder + "/tools"
    os.mkdir(tools)
    with open(tools + "/ipmitool", "w", encoding="utf-8") as file:
        file.write("""#!/bin/sh
case "$*" in *status) echo Chassis Power is on; exit;; esac
cat <<'EOF'
PS1 Status       | C8h | ok  | 10.1 | Presence detected, Failure detected
PS2 Status       | C9h | ok  | 10.2 | Presence detected
PS Redundancy    | C7h | ok  | 10.0 | Redundancy Lost
Drive 0          | F0h | ns  | 26.0 | Disabled
Fan9             | 30h | lcr | 29.1 | 300 RPM
EOF
""")
    os.chmod(tools + "/ipmitool", 0o755)
    _, out, _ = rig.by_hand(
        "--config", rig.config, "health", rig.node,
        environ={"PATH": tools + ":/usr/bin:/bin"})
    wanted = {"PS1 Status": "CRITICAL", "PS2 Status": "OK",
              "PS Redundancy": "WARNING", "Drive 0": "UNKNOWN",
              "Fan9": "CRITICAL"}
    rig.must(parts(json.loads(out or "[]")) == wanted,
             "must be %s: %s" % (wanted, out))


def a_controller_without_sensors(rig):
    """health tells that the controller answers, where that is all it can"""
    rig.must("OK" in health(rig).values(), "something must be OK")


def wrong_password(rig):
    """a wrong password is told as that, and changes nothing"""
    before = rig.machine()
    node = "wrong%d" % rig.number
    for command in ("power-status", "power-off", "health"):
        rig.fails(command, *WRONG_PASSWORD, node=node)
    rig.must(before and rig.machine() == before, "the machine changed")


def low_privilege(rig):
    """a user who may only look can read, and cannot switch"""
    node = "viewer%d" % rig.number
    before = rig.machine()
    said = rig.daemon("power-status", node)
    rig.must(said.get("state") == "on", "the viewer must see it on")
    rig.fails("power-off", *NO_PRIVILEGE, node=node)
    rig.must(before and rig.machine() == before, "the machine changed")


def nobody_there(rig):
    """where nothing listens, that is told"""
    for command in ("power-status", "power-off", "health"):
        rig.fails(command, *NOTHING_THERE, node="dead")


def hung(rig):
    """a hung controller costs its time limit, and is told as silence"""
    rig.testbed("hang", str(rig.number))
    try:
        for command in ("power-status", "power-on"):
            rig.fails(command, *SILENCE)
    finally:
        rig.testbed("unhang", str(rig.number))
    rig.until(lambda: rig.daemon("power-status").get("state") == "on")


def no_secret_in_sight(rig):
    """no tool that a helper runs has the password in words or environment"""
    tools = rig.folder + "/told-" + rig.helper
    os.mkdir(tools)
    for name in ("ipmitool", "curl", "fence_ipmilan"):
        with open(tools + "/" + name, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n{ echo %s \"$@\"; env; } >> %s/log\n"
                       "cat > %s/input\nexit 1\n" % (name, tools, tools))
        os.chmod(tools + "/" + name, 0o755)
    for command in ("power-status", "health"):
        rig.by_hand("--config", rig.config, command, rig.node,
                    environ={"PATH": tools + ":/usr/bin:/bin"})
    with open(tools + "/log", encoding="utf-8") as file:
        told = file.read()
    with open(tools + "/input", encoding="utf-8") as file:
        piped = file.read()
    secret = "secret-%d" % rig.number
    rig.must("127.0.1.%d" % rig.number in told + piped, "no tool ran")
    rig.must(secret not in told, "the password is in sight: " + told)
    rig.must(secret in piped or "-f " in told, "the tool got no password")


def liar(rig):
    """a controller that says off whatever is gets no success for on"""
    before = rig.machine()
    rig.fault("lies-off")
    rig.reads("off")  # its word; `orderly verify` and levels see through it
    rig.fails("power-on", *NOT_ON)
    rig.fault("lies-on")
    rig.fails("power-off", *NOT_OFF)
    rig.fault("none")
    rig.must(before, "the machine was on")
    rig.does("power-on")


def idle(rig):
    """a command that is taken and not done is no success"""
    rig.fault("stuck")
    rig.fails("power-off", *NOT_OFF)
    rig.fails("power-cycle", *NOT_OFF)
    rig.fault("none")
    rig.must(rig.machine(), "the machine must be on")


def refusal(rig):
    """a controller that refuses is quoted"""
    rig.fault("fail")
    rig.fails("power-off", "power-off was not taken")
    rig.fault("none")
    rig.must(rig.machine(), "the machine must be on")


def death(rig):
    """a machine that ends by itself reads as off, and can be switched on"""
    rig.testbed("die", str(rig.number))
    rig.reads("off")
    rig.does("power-on")
    rig.must(rig.machine(), "the machine must be on")


def conflict_is_success(rig):
    """HTTP 409 for what is so already is success, once it was read"""
    rig.fault("conflict")
    before = rig.told()
    rig.does("power-on")
    rig.must(rig.told() == before, "409 was not seen")
    rig.does("power-off")
    rig.does("power-off")
    rig.fault("none")
    rig.does("power-on")


def a_forbidden_reset(rig):
    """what the machine does not allow is not asked, and told"""
    rig.fault("no-off")
    before = rig.told()
    rig.fails("power-off", "it allows only On, GracefulShutdown")
    rig.fault("none")
    rig.must(rig.told() == before and rig.machine(), "it was asked")


def another_agent(rig):
    """the adapter works with an agent of another kind: fence_redfish"""
    for command, state in (("power-off", "off"), ("power-on", "on")):
        said = rig.daemon(command, "redfish-agent")
        rig.must(said["done"], command + " failed")
        said = rig.daemon("power-status", "redfish-agent")
        rig.must(said.get("state") == state, "the state must be " + state)
        rig.must(bool(rig.machine()) == (state == "on"),
                 "it was not the machine that was switched")


def nonsense(rig):
    """an answer of the wrong make is no state, least of all off"""
    rig.fault("nonsense")
    rig.fails("power-status", "says no PowerState that makes sense")
    rig.fails("power-off", "offers no reset")
    rig.fails("health", "its answer makes no sense")
    rig.fault("none")


def an_untrusted_certificate(rig):
    """no password goes to a controller with an unknown certificate"""
    rig.fails("power-status", "certificate is not trusted",
              node="untrusted%d" % rig.number)


ALL = (usage, bad_settings, no_secret_in_sight, off_and_on,
       cycle_of_a_machine_that_is_off, sensors, twins,
       sensors_without_values, a_controller_without_sensors,
       conflict_is_success, a_forbidden_reset, nonsense,
       an_untrusted_certificate, another_agent, wrong_password,
       low_privilege, nobody_there, hung, liar, idle, refusal, death)
