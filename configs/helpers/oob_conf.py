# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""What a helper program knows about one node: address, user, password.

Read from one file for all helpers, helpers.conf beside this one is an
example. Only the sections that speak of the node are looked at: a mistake in
the lines of one node leaves all others their power switch.
"""
import os
import stat

FILE = "/etc/orderly/helpers.conf"
FILE_MAX = 4 << 20
PASSWORD_MAX = 512

HELPERS = ("oob-ipmi", "oob-redfish", "oob-fence-agent", "oob-testbed")
# key -> what its value is; for every helper, then for one
SHARED = {"address": "text", "user": "text", "password_file": "path",
          "time_limit": "seconds", "read_limit": "seconds",
          "off_time": "seconds"}
OWN = {
    "oob-ipmi": {"port": "port", "cipher": "number", "privilege": "text"},
    "oob-redfish": {"port": "port", "system": "text", "ca_file": "path",
                    "insecure": "bool"},
    "oob-fence-agent": {"port": "port", "agent": "text", "plug": "text"},
    "oob-testbed": {"folder": "path"},
}
# What tells one machine's switch from another's
WHERE = ("address", "port", "system", "agent", "plug")
PORTS = {"oob-ipmi": "623", "oob-redfish": "443"}
# A command has to end before the daemon ends it (power.command_timeout, 60 s).
DEFAULTS = {"time_limit": "50", "read_limit": "20", "off_time": "2"}


class Refused(Exception):
    """Nothing was sent to a controller, for this reason."""


def kind_of(key, helper):
    """What the value of `key` has to be; None if nobody knows that key."""
    if key.startswith("option."):
        return "text" if helper in (None, "oob-fence-agent") else None
    for known in (SHARED, *(OWN[x] for x in HELPERS if helper in (None, x))):
        if key in known:
            return known[key]
    return None


def checked(kind, value, where):
    """`value` as the type it has to be."""
    if kind == "bool":
        if value not in ("yes", "no"):
            raise Refused("%s must be yes or no, not \"%s\"" % (where, value))
        return value == "yes"
    if kind == "path":
        if not value.startswith("/") or not value.isprintable():
            raise Refused("%s must be an absolute path of printable "
                          "characters, not \"%s\"" % (where, value))
        return value
    if kind == "text":
        if not value or not value.isprintable() or value.startswith("-"):
            raise Refused("%s must be printable, not empty, and not begin "
                          "with \"-\"" % where)
        return value
    low, high = {"port": (1, 65535), "seconds": (1, 600),
                 "number": (0, 255)}[kind]
    if not (value.isascii() and value.isdigit() and len(value) < 6
            and low <= int(value) <= high):
        raise Refused("%s must be a number from %d to %d, not \"%s\""
                      % (where, low, high, value))
    return int(value)


def only_ours(path, secret):
    """Opens a file that nobody else may change, or read if it is secret."""
    try:
        file = open(path, "rb")
    except OSError as error:
        raise Refused("%s cannot be read: %s" % (path, error.strerror)) \
            from error
    found = os.fstat(file.fileno())
    why = ""
    if not stat.S_ISREG(found.st_mode):
        why = "is not a regular file"
    elif found.st_uid not in (0, os.geteuid()):
        why = "belongs to user %d: run chown root on it" % found.st_uid
    elif found.st_mode & 0o022:
        why = "is writable by its group or by others: run chmod go-w on it"
    elif secret and found.st_mode & 0o007:
        why = "is readable by everybody: run chmod o-rwx on it"
    if why:
        file.close()
        raise Refused("%s %s" % (path, why))
    return file


def sections(path):
    """(line, names in brackets, [(line, text)]) of each section."""
    with only_ours(path, secret=False) as file:
        raw = file.read(FILE_MAX + 1)
    if len(raw) > FILE_MAX:
        raise Refused("%s has more than %d bytes" % (path, FILE_MAX))
    result = []
    for number, line in enumerate(
            raw.decode("utf-8", "replace").split("\n"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if not line.endswith("]") or not line[1:-1].split():
                raise Refused("%s, line %d: a section is [NODE], [*], or one "
                              "of them with the name of a helper behind it"
                              % (path, number))
            result.append((number, line[1:-1].split(), []))
        elif result:
            result[-1][2].append((number, line))
        else:
            raise Refused("%s, line %d: this must be in a section such as [*]"
                          % (path, number))
    return result


def read_section(path, section, found, values):
    """Adds the keys of one section to `values`."""
    line, names, lines = section
    helper = names[1] if len(names) > 1 else None
    if tuple(names) in found:
        raise Refused("%s, line %d: the section [%s] is there twice"
                      % (path, line, " ".join(names)))
    found.add(tuple(names))
    seen = set()
    for number, text in lines:
        where = "%s, line %d: " % (path, number)
        key, equals, value = (x.strip() for x in text.partition("="))
        if not equals:
            raise Refused(where + "this is neither KEY = VALUE nor [SECTION]")
        kind = kind_of(key, helper)
        if kind is None:
            raise Refused(where + "there is no key \"%s\"%s; see helpers.conf "
                          "of the examples" % (key, " for " + helper
                                               if helper else ""))
        if key in seen:
            raise Refused(where + "\"%s\" is there twice" % key)
        seen.add(key)
        values[key] = checked(kind, value, where + key)


class Settings:
    """The values for one node and one helper."""

    def __init__(self, path, node, helper):
        self.path = path
        self.node = node
        self.helper = helper
        self.values = {}
        for key, value in DEFAULTS.items():
            self.values[key] = int(value)
        mine = []
        for section in sections(path):
            names = section[1]
            if len(names) > 2 or (len(names) == 2 and names[1] not in HELPERS):
                if names[0] in ("*", node):
                    raise Refused("%s, line %d: there is no helper \"%s\""
                                  % (path, section[0], " ".join(names[1:])))
            elif names[0] in ("*", node) and names[1:] in ([], [helper]):
                # later ones win: [*], [* HELPER], [NODE], [NODE HELPER]
                mine.append((names[0] != "*", len(names), section))
        found = set()
        for _, _, section in sorted(mine, key=lambda x: x[:2]):
            read_section(path, section, found, self.values)
        if not any(names[0] == node for names in found):
            raise Refused("%s knows no node %s: add a section [%s]"
                          % (path, node, node))

    def get(self, key, default=None):
        return self.values.get(key, default)

    def need(self, key):
        if key not in self.values:
            raise Refused("%s says no %s for %s: add it to [%s]"
                          % (self.path, key, self.node, self.node))
        return self.values[key]

    def options(self):
        """The keys option.NAME, by NAME."""
        return {key[7:]: value for key, value in self.values.items()
                if key.startswith("option.")}

    def password(self):
        """The first line of the password file."""
        path = self.need("password_file")
        with only_ours(path, secret=True) as file:
            word = file.read(PASSWORD_MAX + 1).split(b"\n")[0].rstrip(b"\r")
        try:
            word = word.decode()
        except UnicodeDecodeError as error:
            raise Refused("%s is not UTF-8" % path) from error
        if not word or len(word) > PASSWORD_MAX or not word.isprintable():
            raise Refused("the first line of %s must be a password of 1 to %d "
                          "printable characters" % (path, PASSWORD_MAX))
        return word


def machine_of(all_sections, node, helper):
    """What the file says of where the switch of `node` is, as it stands."""
    values = {"port": PORTS.get(helper, "")}
    mine = [(names[0] != "*", len(names), lines)
            for _, names, lines in all_sections
            if names[0] in ("*", node) and names[1:] in ([], [helper])]
    for _, _, lines in sorted(mine, key=lambda x: x[:2]):
        for _, text in lines:
            key, _, value = (x.strip() for x in text.partition("="))
            if key in WHERE or key.startswith("option."):
                values[key] = value
    return values if "address" in values else None


def twins(path, node, helper):
    """Other nodes whose switch is the same, by what the file says: one of
    them switches the other's machine. Mistakes in their lines are theirs."""
    if helper == "oob-testbed":
        return []  # one folder has all of its machines
    known = sections(path)
    own = machine_of(known, node, helper)
    others = sorted({names[0] for _, names, _ in known} - {"*", node})
    return [x for x in others
            if own is not None and machine_of(known, x, helper) == own]
