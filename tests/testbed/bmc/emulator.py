#!/usr/bin/python3
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""emulator.py FOLDER: commands for ipmi_sim that make a controller with two
sensors, which read their raw values from FOLDER/temp and FOLDER/fan."""
import sys

BMC = 0x20
TEMPERATURE, FAN = 0x01, 0x04
DEGREES, RPM = 1, 18
# Thresholds by the bits of IPMI: lower and upper, each non-critical, critical,
# non-recoverable.
ORDER = ("lnc", "lc", "lnr", "unc", "uc", "unr")


class Sensor:
    """A sensor with thresholds; the reading is the raw value times `factor`."""

    def __init__(self, number, kind, name, unit, factor, limits):
        self.number = number
        self.kind = kind
        self.name = name
        self.unit = unit
        self.factor = factor
        self.limits = {key: limits.get(key, 0) for key in ORDER}
        self.mask = sum(1 << i for i, key in enumerate(ORDER) if key in limits)
        self.events = sum(1 << (2 * i if i < 3 else 2 * i + 1)
                          for i, key in enumerate(ORDER) if key in limits)

    def record(self):
        """The full sensor data record, for main_sdr_add."""
        x = self.limits
        low, high = self.events & 0xff, self.events >> 8 & 0x0f
        body = [BMC, 0, self.number, self.kind + 2, 1, 0x7f, 0x68, self.kind,
                1, low, high, low, high, self.mask, self.mask,
                0, self.unit, 0, 0, self.factor, 0, 0, 0, 0, 0, 1, 45, 0, 0,
                0xff, 0, x["unr"], x["uc"], x["unc"], x["lnr"], x["lc"],
                x["lnc"], 2, 2, 0, 0, 0, 0xc0 | len(self.name),
                *self.name.encode()]
        return [0, 0, 0x51, 0x01, len(body), *body]

    def lines(self, file):
        x = self.limits
        here = "%#x 0 %d" % (BMC, self.number)
        events = format(self.events, "015b")
        yield "sensor_add %s %#x 1 poll 500 file \"%s\"" % (here, self.kind,
                                                            file)
        yield "sensor_set_hysteresis %s settable 2 2" % here
        yield "sensor_set_threshold %s settable %s %s" % (
            here, format(self.mask, "06b"),
            " ".join(str(x[key]) for key in
                     ("unr", "uc", "unc", "lnr", "lc", "lnc")))
        yield "sensor_set_event_support %s enable scanning per-state %s" % (
            here, " ".join([events] * 4))
        yield "main_sdr_add %#x %s" % (
            BMC, " ".join("%#04x" % byte for byte in self.record()))


def main():
    folder = sys.argv[1]
    print("mc_setbmc %#x" % BMC)
    print("mc_add %#x 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02" % BMC)
    print("sel_enable %#x 1000 0x0a" % BMC)
    for file, sensor in (
            ("temp", Sensor(1, TEMPERATURE, "CPU Temp", DEGREES, 1,
                            {"lnc": 5, "lc": 2, "unc": 75, "uc": 85,
                             "unr": 95})),
            ("fan", Sensor(2, FAN, "Fan1", RPM, 100,
                           {"lnc": 15, "lc": 10, "lnr": 5}))):
        for line in sensor.lines(folder + "/" + file):
            print(line)
    print("mc_enable %#x" % BMC)


if __name__ == "__main__":
    main()
