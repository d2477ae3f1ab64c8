#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""The shipped helper programs against simulated controllers, called as the
daemon calls them. Each helper has a controller of its own, and they go through
the same steps side by side; the steps are in steps.py, those of oob-testbed,
whose controller is not simulated by others, in own_steps.py."""
import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

sys.dont_write_bytecode = True  # the tree stays as it is

import own_steps
import steps
from rig import Rig, Failed

HELPERS = ("oob-ipmi", "oob-redfish", "oob-fence-agent", "oob-testbed")
HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "..", "bmc.sh")


def free_port(kind, first):
    """A port that is free on all three addresses; other tests may run."""
    for port in range(first, first + 200):
        taken = []
        try:
            for i in (1, 2, 3):
                taken.append(socket.socket(socket.AF_INET, kind))
                taken[-1].bind(("127.0.1.%d" % i, port))
            return port
        except OSError:
            pass
        finally:
            for each in taken:
                each.close()
    raise Failed("no port from %d on is free" % first)


def possible(environ):
    """Why this cannot run here, after an attempt to install what lacks."""
    check = [SCRIPT, "check"]
    if subprocess.run(check, env=environ, check=False,
                      stdout=subprocess.DEVNULL).returncode == 0:
        return ""
    if os.geteuid() == 0:
        subprocess.run([SCRIPT, "install"], env=environ, check=False,
                       stdout=sys.stderr)
    done = subprocess.run(check, env=environ, check=False, text=True,
                          stdout=subprocess.PIPE)
    return done.stdout.strip() if done.returncode else ""


def course(rig, verdicts):
    """All steps with one helper, as a thread."""
    try:
        if rig.helper == "oob-testbed":
            own_steps.run(rig)
        for step in steps.ALL if rig.helper != "oob-testbed" else ():
            if step.__name__ in rig.leaves_out:
                continue
            began = time.monotonic()
            rig.say("%s: %s" % (step.__name__.replace("_", " "),
                                step.__doc__.split("\n")[0]))
            step(rig)
            rig.say("   took %.1f s" % (time.monotonic() - began))
        verdicts[rig.helper] = True
    except Failed as error:
        rig.say("FAILED: %s" % error)
    except Exception:  # whatever it is, it must be seen and fail the test
        rig.say("FAILED: " + traceback.format_exc())


def main():
    text = argparse.ArgumentParser(description=__doc__)
    text.add_argument("--call", required=True, type=os.path.realpath,
                      help="the program oob_call")
    text.add_argument("--only", action="append", choices=HELPERS)
    args = text.parse_args()
    folder = tempfile.mkdtemp(prefix="orderly-bmc-")
    environ = dict(os.environ, BMC_DIR=folder + "/run")
    why = possible(environ)
    if why:
        os.rmdir(folder)
        print("SKIPPED: " + why)
        return 77
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    verdicts = {}
    try:
        environ["BMC_IPMI_PORT"] = str(free_port(socket.SOCK_DGRAM, 9623))
        environ["BMC_REDFISH_PORT"] = str(free_port(socket.SOCK_STREAM, 9443))
        subprocess.run([SCRIPT, "up"], env=environ, check=True, timeout=60)
        rigs = [Rig(i, helper, folder, environ, args.call, SCRIPT)
                for i, helper in enumerate(HELPERS, 1)
                if helper in (args.only or HELPERS)]
        threads = [threading.Thread(target=course, args=(x, verdicts))
                   for x in rigs]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    except (Failed, subprocess.SubprocessError) as error:
        print("the testbed: %s" % error)
        return 1
    finally:
        subprocess.run([SCRIPT, "down"], env=environ, check=False)
        shutil.rmtree(folder, ignore_errors=True)
    bad = [x.helper for x in rigs if not verdicts.get(x.helper)]
    print("FAILED: " + ", ".join(bad) if bad else "all is as it must be")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
