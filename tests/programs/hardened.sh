#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# hardened.sh UNIT PROGRAM...: what a mistake in memory could be used for is made
# little of in each program, and the unit grants no more than it did.

set -u
unit=$1
shift
bad=0

complain() {
  echo "$1: $2"
  bad=1
}

for program in "$@"; do
  header=$(readelf -hlW "$program")
  dynamic=$(readelf -dW "$program")
  symbols=$(readelf -W --dyn-syms "$program")
  notes=$(readelf -nW "$program")
  grep -q 'Type:.*DYN' <<< "$header" || complain "$program" "no PIE"
  grep -q 'GNU_RELRO' <<< "$header" || complain "$program" "no RELRO"
  grep -q 'GNU_STACK.*RWE' <<< "$header" &&
    complain "$program" "its stack can be executed"
  grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<< "$dynamic" ||
    complain "$program" "no BIND_NOW"
  grep -q '__stack_chk_fail' <<< "$symbols" ||
    complain "$program" "no stack protector"
  grep -q '_chk@' <<< "$symbols" || complain "$program" "no FORTIFY"
  if [ "$(uname -m)" = x86_64 ] && ! grep -q 'IBT' <<< "$notes"; then
    # Libraries that are linked in decide, too: at least ours must have it.
    objdump -d --no-show-raw-insn "$program" 2> /dev/null |
      grep -m1 -q endbr64 || complain "$program" "no control-flow protection"
  fi
done

# Whatever keeps it from starting may end.
grep -qx 'StartLimitIntervalSec=0' "$unit" ||
  complain "$unit" "systemd gives up starting it"

agent=$(dirname "$unit")/orderly-agent.service
grep -qx 'Restart=always' "$agent" ||
  complain "$agent" "a signal that ends it has the node watched no more"

if command -v systemd-analyze > /dev/null; then
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
  check() { # NAME MOST FILE...
    local name=$1 most=$2
    shift 2
    cat "$@" > "$place/orderlyd.service"
    systemd-analyze security --offline=true --no-pager --threshold="$most" \
      "$place/orderlyd.service" > "$place/out" 2>&1 ||
      complain "$name" "$(tail -n 1 "$place/out"), more than $most / 10"
  }
  # It looks at devices, and at all processes.
  check "$agent" 25 "$agent"
  check "$unit" 14 "$unit"
  check "$unit.d" 13 "$unit" "$unit.d/addresses.conf"
  check "$unit.d" 17 "$unit" "$unit.d/readers.conf"
fi

[ "$bad" = 0 ] && echo "all as it should be"
exit "$bad"
