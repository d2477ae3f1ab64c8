#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Whoever starts a program decides neither which file of its own is taken for
# its standard output, nor that it ends where its log may not grow.
#
#   odd_starts.sh FOLDER-OF-PROGRAMS
#
# Exit code 77: it needs root, whose repair commands are.

set -u
[ "$(id -u)" = 0 ] || exit 77
bin=$1
wrong=0
folder=$(mktemp -d)
chmod 700 "$folder"
running=()
trap 'kill -9 "${running[@]}" 2> /dev/null; rm -rf "$folder"' EXIT

complain() {
  echo "$*"
  wrong=1
}

# A repair command that is left alive by whoever ran it holds the lock: its file
# must not have become a stream of the command.
printf '[node]\nfolder = "%s"\n[repair]\nfolder = "%s"\n' \
  "$folder" "$folder" > "$folder/agent.toml"
cat > "$folder/slow" << EOF
#!/bin/sh
/bin/sleep 30 &
echo \$! > $folder/begun.new
/bin/mv $folder/begun.new $folder/begun
/bin/sleep 30
EOF
chmod 755 "$folder/slow"
chmod 600 "$folder/agent.toml"
printf '{"node":"n","intent":"%s","event":"e","command":"slow",%s%s000}' \
  odd '"object":"{}","time_ms":' "$(date +%s)" > "$folder/deposited.json"
chmod 600 "$folder/deposited.json"
"$bin/orderly-repair" --config "$folder/agent.toml" 0<&- 1>&- 2>&- &
repair=$!
for _ in $(seq 100); do
  [ -e "$folder/begun" ] && break
  sleep 0.1
done
if [ -e "$folder/begun" ]; then
  running+=("$(cat "$folder/begun")")
  kill -9 "$repair"
  wait "$repair" 2> /dev/null
  said=$("$bin/orderly-repair" --config "$folder/agent.toml" 2>&1)
  grep -q 'another repair command runs' <<< "$said" ||
    complain "beside a command that lives another one may run: $said"
else
  complain "without standard streams no repair command is run"
fi

# A log that may not grow is lost, as on a full disk.
mkdir "$folder/state" "$folder/ganeti" "$folder/commands"
printf '[http]\naddress = "127.0.0.1"\nport = 0\ntls = false
[node]\nfolder = "%s/state"\n[ganeti]\nfolder = "%s/ganeti"
[diagnose]\nfolder = "%s/commands"\n' "$folder" "$folder" "$folder" \
  > "$folder/agent.toml"
lives() { # NAME PROGRAM...
  local name=$1 code=0
  shift
  head -c 2048 /dev/zero > "$folder/log" # as much as there may be, and more
  (ulimit -f 1
   exec timeout --signal=TERM 5 "$@" 2>> "$folder/log") || code=$?
  [ "$code" = 124 ] || complain "$name: ended with $code for its log"
}
lives orderly-agent "$bin/orderly-agent" --config "$folder/agent.toml"
lives orderlyd "$bin/orderlyd" --demo --demo-folder "$folder" --demo-port 0

# Nor does whoever starts it decide whether it hears that a child has ended.
printf '#!/bin/sh\necho \047{"powered": true}\047\n' > "$folder/oob"
printf '#!/bin/sh\necho \047{"status": "Ok"}\047\n' > "$folder/commands/good"
chmod 755 "$folder/oob" "$folder/commands/good"
echo key > "$folder/ganeti/hmac.key"
chmod 600 "$folder/ganeti/hmac.key"
sed 's,^folder = "\(.*\)/commands"$,&\ncommand = "good",' \
  "$folder/agent.toml" > "$folder/agent2.toml"
chmod 600 "$folder/agent2.toml"
hears() { # NAME WORD COMMAND... : WORD is in what the command says
  local name=$1 word=$2
  shift 2
  for _ in $(seq 100); do
    "$@" 2>&1 | grep -q "$word" && return
    sleep 0.1
  done
  complain "$name does not hear of children: $("$@" 2>&1)"
}
PYTHONDONTWRITEBYTECODE=1 python3 -c '
import sys, time
sys.path.append(sys.argv[1])
from made_up_cluster import Luxid, SETTINGS
with open(sys.argv[2] + "/orderly.toml", "w") as file:
    file.write(SETTINGS % {"port": 1, "folder": sys.argv[2]}
               + "[power]\nprogram = \"%s/oob\"\n" % sys.argv[2])
luxid = Luxid(sys.argv[2] + "/luxi", 2, 2)
time.sleep(600)' "$(dirname "$0")" "$folder" &
running+=($!)
for _ in $(seq 100); do
  [ -S "$folder/luxi" ] && break
  sleep 0.1
done
chmod 600 "$folder/orderly.toml"
env --ignore-signal=CHLD "$bin/orderlyd" --config "$folder/orderly.toml" \
  2> "$folder/log" &
running+=($!)
hears orderlyd 'node1 *on' "$bin/orderly" --socket "$folder/orderly.sock" \
  power status node1
env --ignore-signal=CHLD "$bin/orderly-agent" --config "$folder/agent2.toml" \
  2> "$folder/agent.log" &
running+=($!)
report() {
  local port
  port=$(sed -n 's/.*serves .* port \([0-9]*\).*/\1/p' "$folder/agent.log")
  cat "$folder/agent.log"
  exec 3<> "/dev/tcp/127.0.0.1/${port:-1}" || return
  printf 'GET /1/report/node/diagnose HTTP/1.0\r\n\r\n' >&3
  cat <&3
  exec 3>&-
}
hears orderly-agent '"status": "Ok"}' report
disown -a
exit "$wrong"
