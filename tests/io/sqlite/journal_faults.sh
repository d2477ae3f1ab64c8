#!/bin/sh
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Breaks the system calls under a program that appends to a journal. No entry
# that it acknowledged may be lost, and the journal must stay sound.
#
#   journal_faults.sh PATH-OF-JOURNAL-WRITER [RUNS]
#
# Exit code 77: this machine cannot inject faults.

set -u
writer=$1
runs=${2:-40}
entries=12
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

if ! command -v strace >/dev/null || ! strace -qq -o /dev/null true; then
  echo "strace is missing or not permitted: skipped"
  exit 77
fi

failed=0
hit=0

# run NAME EXPRESSION: one run with the fault, one check without it.
run() {
  rm -f "$dir"/j.db*
  strace -f -qq -o "$dir/trace" \
    -e trace=fdatasync,fsync,pwrite64,ftruncate,unlink -e "inject=$2" \
    "$writer" append "$dir/j.db" "$entries" >"$dir/out" 2>"$dir/err"
  code=$?
  acked=$(sed -n 's/^ack //p' "$dir/out" | tail -n 1)
  grep -q 'INJECTED\|killed by SIGKILL' "$dir/trace" && hit=$((hit + 1))
  if [ "$code" -eq 3 ]; then
    echo "$1: an acknowledged entry was gone on reading back"
    failed=1
  fi
  if ! "$writer" check "$dir/j.db" "${acked:-0}" >"$dir/check"; then
    echo "$1: acknowledged ${acked:-none}, but: $(cat "$dir/check")"
    failed=1
  fi
  if command -v sqlite3 >/dev/null \
    && [ "$(sqlite3 "$dir/j.db" 'PRAGMA integrity_check')" != ok ]; then
    echo "$1: the journal is damaged"
    failed=1
  fi
}

n=1
while [ "$n" -le "$runs" ]; do
  run "killed at write $n" "pwrite64:signal=SIGKILL:when=$n"
  run "killed at sync $n" "fdatasync,fsync:signal=SIGKILL:when=$n"
  run "sync $n fails" "fdatasync,fsync:error=EIO:when=$n"
  run "write $n fails" "pwrite64:error=EIO:when=$n"
  run "disk full from write $n on" "pwrite64:error=ENOSPC:when=$n+"
  n=$((n + 1))
done

echo "$((runs * 5)) runs, $hit with a fault that struck"
if [ "$hit" -lt "$runs" ]; then
  echo "too few faults struck: the test proves nothing"
  failed=1
fi
exit "$failed"
