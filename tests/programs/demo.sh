#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# `./dev demo` shows a repair within two minutes, on the status page and in
# `orderly decisions`; and orderlyd stops in order within five seconds.
# usage: demo.sh ORDERLYD ORDERLY
set -u
orderlyd=$1 orderly=$2
folder=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null; rm -rf "$folder"' EXIT

fail() { echo "FAILED: $*"; tail -5 "$folder/log"; exit 1; }

"$orderlyd" --demo --demo-folder "$folder" --demo-port 0 2> "$folder/log" &
pid=$!
socket=$folder/orderly.sock
for _ in $(seq 50); do [ -S "$socket" ] && break; sleep 0.1; done
[ -S "$socket" ] || fail "no socket after 5 s"
port=$(sed -n 's|.*serves http://127.0.0.1:\([0-9]*\)/.*|\1|p' "$folder/log")

repaired=
for _ in $(seq 120); do
  "$orderly" --socket "$socket" decisions --limit 500 > "$folder/decisions" ||
    fail "orderly decisions: exit $?"
  if grep -q 'success: failover of' "$folder/decisions"; then
    repaired=1
    break
  fi
  sleep 1
done
[ -n "$repaired" ] || fail "no repair within two minutes"
grep 'success: failover of' "$folder/decisions" | head -1

curl -sf "http://127.0.0.1:$port/status.html" > "$folder/page" || fail "no page"
grep -q 'failover of' "$folder/page" || fail "the page does not show the repair"
curl -sf "http://127.0.0.1:$port/healthz" > /dev/null || fail "not healthy"
if command -v promtool > /dev/null; then
  curl -sf "http://127.0.0.1:$port/metrics" | promtool check metrics ||
    fail "promtool does not like the metrics"
fi

begin=$(date +%s%N)
kill -TERM "$pid"
wait "$pid"
code=$?
took=$((($(date +%s%N) - begin) / 1000000))
pid=
[ "$code" = 0 ] || fail "exit code $code on SIGTERM"
[ "$took" -lt 5000 ] || fail "stopping took $took ms"
echo "stopped in $took ms"
