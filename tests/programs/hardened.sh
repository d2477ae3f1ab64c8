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
  [ "$(uname -m)" = x86_64 ] || continue
  # Libraries that are linked in have their say in the note: ours must have it.
  grep -q 'IBT' <<< "$notes" ||
    objdump -d --no-show-raw-insn --disassemble=main "$program" |
      grep -A1 '<main>:$' | grep -q endbr64 ||
    complain "$program" "no control-flow protection"
  # A frame of more than a page is touched page by page.
  objdump -d --no-show-raw-insn "$program" |
    grep -q 'or[lq] \+$0x0,\((%rsp)\|0x[0-9a-f]*(%rsp)\)$' ||
    complain "$program" "no protection against clashes of the stack"
done

# Whatever keeps it from starting may end.
grep -qx 'StartLimitIntervalSec=0' "$unit" ||
  complain "$unit" "systemd gives up starting it"

agent=$(dirname "$unit")/orderly-agent.service
grep -qx 'Restart=always' "$agent" ||
  complain "$agent" "a signal that ends it has the node watched no more"

if ! command -v systemd-analyze > /dev/null; then
  [ "$bad" = 0 ] || exit 1
  echo "SKIPPED: the units, for there is no systemd-analyze"
  exit 77
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

exposed() { # MOST FILE...: whether they are more exposed than that
  local most=$1
  shift
  cat "$@" > "$place/orderlyd.service"
  ! systemd-analyze security --offline=true --no-pager --threshold="$most" \
    "$place/orderlyd.service" > "$place/out" 2>&1
}

check() { # NAME MOST FILE...
  local name=$1
  shift
  ! exposed "$@" ||
    complain "$name" "$(tail -n 1 "$place/out"), more than $1 / 10"
}

printf '[Service]\nExecStart=/bin/true\n' > "$place/bare"
exposed 50 "$place/bare" ||
  complain systemd-analyze "finds nothing wrong with a unit that confines nothing"
# It looks at devices, and at all processes.
check "$agent" 25 "$agent"
check "$unit" 14 "$unit"
check "$unit.d" 13 "$unit" "$unit.d/addresses.conf"
check "$unit.d" 17 "$unit" "$unit.d/readers.conf"
for each in "$(dirname "$unit")"/*.service "$unit.d"/*; do
  case $each in
    "$agent" | "$unit" | "$unit.d/addresses.conf" | "$unit.d/readers.conf") ;;
    *) complain "$each" "nobody has said how exposed it may be" ;;
  esac
done

[ "$bad" = 0 ] && echo "all as it should be"
exit "$bad"
