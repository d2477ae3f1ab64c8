#!/bin/sh
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# harep.sh ORDERLY: what `orderly harep` says and how it ends where there is no
# cluster, and beside a daemon. Nothing of this machine is touched.

set -u
orderly=$1
folder=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$folder"' EXIT

failed=0

# expect CODE TEXT ARGS...: that exit code, and TEXT on stdout or stderr.
expect() {
  code=$1
  text=$2
  shift 2
  said=$("$orderly" harep "$@" 2>&1)
  got=$?
  if test "$got" -ne "$code"; then
    echo "harep $*: exit code $got instead of $code: $said"
    failed=1
  fi
  case $said in
  *"$text"*) ;;
  *)
    echo "harep $*: no \"$text\" in: $said"
    failed=1
    ;;
  esac
}

nobody="--socket=$folder/nobody"
luxi="-L$folder/luxi"

expect 0 'Usage: harep [OPTION...]' --help
expect 0 'harep (orderly) version' --version
expect 1 "Error: this program doesn't take any arguments." web1
expect 2 'Command line error: unrecognized option' --zzz
expect 1 "job delay: cannot parse string 'abc'" --job-delay=abc
expect 1 'Error: the cluster cannot be read: ' "$luxi" "$nobody"
expect 1 '"complete": false' "$luxi" "$nobody" --output=json
expect 1 'Error: the cluster cannot be read: ' "$luxi" "$nobody" --dry-run
expect 1 "Error: this program doesn't take any arguments." --dry-run web1

# What a dry run pretends is kept nowhere; what a pass does is.
expect 1 'Error: the cluster cannot be read: ' "$luxi" "$nobody" --dry-run \
  --journal="$folder/journal"
test ! -e "$folder/journal" || {
  echo "a dry run kept a journal"
  failed=1
}
expect 1 'Error: the cluster cannot be read: ' "$luxi" "$nobody" \
  --journal="$folder/journal"
test -s "$folder/journal" || {
  echo "a pass with --journal kept none"
  failed=1
}

ln -s "$orderly" "$folder/harep"
"$folder/harep" --version | grep -q '^harep (orderly) version' || {
  echo "a link named harep is no harep"
  failed=1
}

# daemon MODE: answers like an orderlyd with that autorepair.mode, and has it
# on unless that is "off".
daemon() {
  test -z "$server" || kill "$server"
  rm -f "$folder/daemon"
  python3 - "$folder/daemon" "$1" <<'PYTHON' &
import http.server, json, socketserver, sys

class Status(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        mode = sys.argv[2]
        body = json.dumps({"autorepair": mode != "off",
                           "autorepair_mode": mode}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "unix"

    def log_message(self, *_):
        pass

socketserver.UnixStreamServer(sys.argv[1], Status).serve_forever()
PYTHON
  server=$!
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    test -S "$folder/daemon" && break
    sleep 0.5
  done
}

# No pass beside a daemon that repairs, but a dry run and --force.
socket="--socket=$folder/daemon"
daemon act
expect 1 "Error: an orderlyd with auto-repair serves $folder/daemon" \
  "$luxi" "$socket"
expect 1 'the cluster cannot be read: ' "$luxi" "$socket" --dry-run
expect 1 'the cluster cannot be read: ' "$luxi" "$socket" --force

# One that only observes, or does not look at all, is nobody's rival.
for mode in observe off; do
  daemon $mode
  expect 1 'the cluster cannot be read: ' "$luxi" "$socket"
done

exit $failed
