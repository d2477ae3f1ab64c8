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


def health(bench):
    """The items of a health report about its own parts, by name."""
    said = bench.daemon("health")
    bench.must(said["done"] and not said["text"], "health failed")
    items = json.loads(said["out"])
    for pair in items:
        bench.must(len(pair) == 2 and isinstance(pair[0], str) and pair[1] in
                   ("OK", "WARNING", "CRITICAL", "UNKNOWN"),
                   "%s is no [item, status]" % pair)
    return parts(items)


def bad_settings(bench):
    """with settings that are not right nothing is sent to a controller"""
    with open(bench.config, encoding="utf-8") as file:
        good = file.read()
    loose = bench.folder + "/" + bench.helper + ".loose"
    with open(loose, "w", encoding="utf-8") as file:
        file.write("secret-%d\n" % bench.number)
    os.chmod(loose, 0o644)
    node = "[node%d]\n" % bench.number
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
         % (bench.number, bench.helper, loose), 0o644,
         "is readable by everybody"),
        (good + "[node%d %s]\npassword_file = /no/such\n"
         % (bench.number, bench.helper), 0o644, "/no/such cannot be read"),
        (good + node + "address = 127.0.1.9\n", 0o644, "is there twice"),
        (good, 0o666, "is writable by its group or by others"),
    )
    path = bench.folder + "/" + bench.helper + ".conf"
    before = calls(bench)
    for text, mode, why in cases:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        for command in ("power-off", "power-status"):
            code, out, err = bench.by_hand("--config", path, command,
                                           bench.node)
            bench.must(code == 1 and not out, "%s: exit code %d" % (why, code))
            bench.must(why in err and "nothing was sent" in err,
                       "\"%s\" must be in: %s" % (why, err))
        bench.say("   " + err.strip())
    bench.must(calls(bench) == before, "a controller was asked")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[other]\nadress = 1\n" + good)  # of somebody else
    os.chmod(path, 0o644)
    code, _, err = bench.by_hand("--config", path, "--check", bench.node)
    bench.must(code == 0, "a mistake about another node: " + err)


def calls(bench):
    try:
        with open(bench.state + "/calls", encoding="utf-8") as file:
            return len(file.readlines())
    except FileNotFoundError:
        return 0


def usage(bench):
    """help has examples and the format, a wrong command line is told"""
    code, out, _ = bench.by_hand("--help")
    for word in ("Examples:", "password_file", "power-cycle", bench.helper):
        bench.must(code == 0 and word in out, "no %s in the help" % word)
    for words in ((), ("power-off",), ("power-of", "node1"),
                  ("power-off", "-x"), ("power-off", "node1", "node2")):
        code, out, err = bench.by_hand(*words)
        bench.must(code == 2 and not out and "--help" in err,
                   "%s: exit code %d" % (words, code))


def off_and_on(bench):
    """off, on and cycle are done, and the reading says so"""
    bench.does("power-off")  # it is so already
    bench.reads("off")
    bench.must(not bench.machine(), "the machine must be off")
    bench.does("power-on")
    first = bench.machine()
    bench.must(first, "the machine must be on")
    bench.reads("on")
    bench.does("power-on")
    bench.must(bench.machine() == first, "it must still be the same machine")
    bench.does("power-cycle")
    second = bench.machine()
    bench.must(second and second != first, "it must have been off and on")
    bench.reads("on")
    bench.does("power-off")
    bench.must(not bench.machine(), "the machine must be off")
    bench.reads("off")


def cycle_of_a_machine_that_is_off(bench):
    """what is off is not switched on by cycle"""
    bench.fails("power-cycle", "the machine is off")
    bench.must(not bench.machine(), "the machine must be off still")
    bench.does("power-on")


def sensors(bench):
    """sensors are told as OK, WARNING or CRITICAL"""
    number = str(bench.number)
    items = health(bench)
    bench.must(items["CPU Temp"] == "OK" and items["Fan1"] == "OK",
               "all must be OK")
    for degrees, word in (("80", "WARNING"), ("90", "CRITICAL")):
        bench.testbed("temp", number, degrees)
        bench.until(lambda: health(bench)["CPU Temp"] == word)
    bench.testbed("fan", number, "600")
    bench.until(lambda: health(bench)["Fan1"] == "CRITICAL")
    bench.testbed("temp", number, "42")
    bench.testbed("fan", number, "4800")
    bench.until(lambda: set(health(bench).values()) <= {"OK", "UNKNOWN"})


def twins(bench):
    """health warns of each other node that names the same controller"""
    said = dict(json.loads(bench.daemon("health")["out"]))
    other = TWIN + "wrong%d" % bench.number
    bench.must(said.get(other) == "WARNING", "must warn: %s" % said)


def sensors_without_values(bench):
    """a sensor that only has states is judged by their words"""
    tools = bench.folder + "/tools"
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
    _, out, _ = bench.by_hand(
        "--config", bench.config, "health", bench.node,
        environ={"PATH": tools + ":/usr/bin:/bin"})
    wanted = {"PS1 Status": "CRITICAL", "PS2 Status": "OK",
              "PS Redundancy": "WARNING", "Drive 0": "UNKNOWN",
              "Fan9": "CRITICAL"}
    bench.must(parts(json.loads(out or "[]")) == wanted,
               "must be %s: %s" % (wanted, out))


def a_controller_without_sensors(bench):
    """health tells that the controller answers, where that is all it can"""
    bench.must("OK" in health(bench).values(), "something must be OK")


def wrong_password(bench):
    """a wrong password is told as that, and changes nothing"""
    before = bench.machine()
    node = "wrong%d" % bench.number
    for command in ("power-status", "power-off", "health"):
        bench.fails(command, *WRONG_PASSWORD, node=node)
    bench.must(before and bench.machine() == before, "the machine changed")


def low_privilege(bench):
    """a user who may only look can read, and cannot switch"""
    node = "viewer%d" % bench.number
    before = bench.machine()
    said = bench.daemon("power-status", node)
    bench.must(said.get("state") == "on", "the viewer must see it on")
    bench.fails("power-off", *NO_PRIVILEGE, node=node)
    bench.must(before and bench.machine() == before, "the machine changed")


def nobody_there(bench):
    """where nothing listens, that is told"""
    for command in ("power-status", "power-off", "health"):
        bench.fails(command, *NOTHING_THERE, node="dead")


def hung(bench):
    """a hung controller costs its time limit, and is told as silence"""
    bench.testbed("hang", str(bench.number))
    try:
        for command in ("power-status", "power-on"):
            bench.fails(command, *SILENCE)
    finally:
        bench.testbed("unhang", str(bench.number))
    bench.until(lambda: bench.daemon("power-status").get("state") == "on")


def no_secret_in_sight(bench):
    """no tool that a helper runs has the password in words or environment"""
    tools = bench.folder + "/told-" + bench.helper
    os.mkdir(tools)
    for name in ("ipmitool", "curl", "fence_ipmilan"):
        with open(tools + "/" + name, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n{ echo %s \"$@\"; env; } >> %s/log\n"
                       "cat > %s/input\nexit 1\n" % (name, tools, tools))
        os.chmod(tools + "/" + name, 0o755)
    for command in ("power-status", "health"):
        bench.by_hand("--config", bench.config, command, bench.node,
                      environ={"PATH": tools + ":/usr/bin:/bin"})
    with open(tools + "/log", encoding="utf-8") as file:
        told = file.read()
    with open(tools + "/input", encoding="utf-8") as file:
        piped = file.read()
    secret = "secret-%d" % bench.number
    bench.must("127.0.1.%d" % bench.number in told + piped, "no tool ran")
    bench.must(secret not in told, "the password is in sight: " + told)
    bench.must(secret in piped or "-f " in told, "the tool got no password")


def liar(bench):
    """a controller that says off whatever is gets no success for on"""
    before = bench.machine()
    bench.fault("lies-off")
    bench.reads("off")  # its word; `orderly verify` and levels see through it
    bench.fails("power-on", *NOT_ON)
    bench.fault("lies-on")
    bench.fails("power-off", *NOT_OFF)
    bench.fault("none")
    bench.must(before, "the machine was on")
    bench.does("power-on")


def idle(bench):
    """a command that is taken and not done is no success"""
    bench.fault("stuck")
    bench.fails("power-off", *NOT_OFF)
    bench.fails("power-cycle", *NOT_OFF)
    bench.fault("none")
    bench.must(bench.machine(), "the machine must be on")


def refusal(bench):
    """a controller that refuses is quoted"""
    bench.fault("fail")
    bench.fails("power-off", "power-off was not taken")
    bench.fault("none")
    bench.must(bench.machine(), "the machine must be on")


def death(bench):
    """a machine that ends by itself reads as off, and can be switched on"""
    bench.testbed("die", str(bench.number))
    bench.reads("off")
    bench.does("power-on")
    bench.must(bench.machine(), "the machine must be on")


def conflict_is_success(bench):
    """HTTP 409 for what is so already is success, once it was read"""
    bench.fault("conflict")
    before = bench.told()
    bench.does("power-on")
    bench.must(bench.told() == before, "409 was not seen")
    bench.does("power-off")
    bench.does("power-off")
    bench.fault("none")
    bench.does("power-on")


def a_forbidden_reset(bench):
    """what the machine does not allow is not asked, and told"""
    bench.fault("no-off")
    before = bench.told()
    bench.fails("power-off", "it allows only On, GracefulShutdown")
    bench.fault("none")
    bench.must(bench.told() == before and bench.machine(), "it was asked")


def another_agent(bench):
    """the adapter works with an agent of another kind: fence_redfish"""
    for command, state in (("power-off", "off"), ("power-on", "on")):
        said = bench.daemon(command, "redfish-agent")
        bench.must(said["done"], command + " failed")
        said = bench.daemon("power-status", "redfish-agent")
        bench.must(said.get("state") == state, "the state must be " + state)
        bench.must(bool(bench.machine()) == (state == "on"),
                   "it was not the machine that was switched")


def nonsense(bench):
    """an answer of the wrong make is no state, least of all off"""
    bench.fault("nonsense")
    bench.fails("power-status", "says no PowerState that makes sense")
    bench.fails("power-off", "offers no reset")
    bench.fails("health", "its answer makes no sense")
    bench.fault("none")


def an_untrusted_certificate(bench):
    """no password goes to a controller with an unknown certificate"""
    bench.fails("power-status", "certificate is not trusted",
                node="untrusted%d" % bench.number)


ALL = (usage, bad_settings, no_secret_in_sight, off_and_on,
       cycle_of_a_machine_that_is_off, sensors, twins,
       sensors_without_values, a_controller_without_sensors,
       conflict_is_success, a_forbidden_reset, nonsense,
       an_untrusted_certificate, another_agent, wrong_password,
       low_privilege, nobody_there, hung, liar, idle, refusal, death)
