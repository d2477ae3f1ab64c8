#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# chassis.sh FOLDER [0x20] get|set PARAMETER [VALUE] ...: the machine behind a
# simulated controller, as ipmi_sim and redfish.py command it. Answers
# "power:1"; writes what it was told to FOLDER/calls.
d=$1
shift
[ "${1:-}" = 0x20 ] && shift
verb=$1
shift
echo "$verb $*" >> "$d/calls"
fault=$(cat "$d/fault" 2>/dev/null)
[ "$fault" = fail ] && { echo "chassis refuses" >&2; exit 1; }

alive() {
  [ -s "$d/machine.pid" ] &&
    { tr '\0' '\n' < "/proc/$(cat "$d/machine.pid")/environ"; } 2>/dev/null |
    grep -qx "BMC_DIR=$BMC_DIR"
}
stop() {
  alive && kill -9 "$(cat "$d/machine.pid")"
  rm -f "$d/machine.pid"
}
start() {
  alive && return
  setsid sleep 100000 </dev/null >/dev/null 2>&1 &
  echo $! > "$d/machine.pid"
}
is_on() {
  case $fault in
    lies-off) return 1 ;;
    lies-on) return 0 ;;
    *) alive ;;
  esac
}

while [ $# -gt 0 ]; do
  case $verb:$1 in
    get:power) if is_on; then echo power:1; else echo power:0; fi; shift ;;
    get:boot) echo boot:none; shift ;;
    set:*)
      if [ "$fault" != stuck ]; then
        case $1:$2 in
          power:1) start ;;
          power:0 | shutdown:*) stop ;;
          reset:1) alive && { stop; start; } ;;
        esac
      fi
      shift 2 ;;
    *) shift ;;
  esac
done
exit 0
