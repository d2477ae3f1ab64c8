#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# What is printed onto a full disk is lost, and each program says so: a script
# that keeps its output must not take an empty file for a good one.
#
#   lost_output.sh FOLDER-OF-PROGRAMS SOURCES

set -u
bin=$1
source=$2
wrong=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$bin/orderly-htools" hspace --simulate=preferred,3,1t,64g,16 \
  --save="$folder/c" > /dev/null 2>&1
cluster=$folder/c.standard

loses() {
  local said code=0
  said=$("$@" 2>&1 >/dev/full) || code=$?
  [ "$code" = 1 ] && grep -q 'cannot write the output' <<< "$said" && return
  printf 'ended with %s: %s\n%s\n' "$code" "$*" "$said"
  wrong=1
}

for program in orderlyd orderly orderly-agent orderly-repair orderly-sim \
  orderly-htools; do
  loses "$bin/$program" --help
done
loses "$bin/orderly" version
loses "$bin/orderly" harep --help
loses "$bin/orderly-repair" --version
loses "$bin/orderly-sim" drill --show \
  "$source/sim/drills/host-ha/host-power-loss-with-bmc.drill"
loses "$bin/orderlyd" --print-config
loses "$bin/orderly-agent" --print-config
for tool in hbal hinfo hcheck hspace hroller hsqueeze hwhatif hgroups; do
  loses "$bin/orderly-htools" "$tool" -t "$cluster"
  loses "$bin/orderly-htools" "$tool" --help
done
loses "$bin/orderly-htools" hbal -t "$cluster" --output=json
# What cannot be told is lost, and changes no exit code.
printf '[x]\n' > "$folder/bad.toml"
printf '[node]\nfolder = "%s"\n' "$folder" > "$folder/agent.toml"
chmod 600 "$folder"/*.toml

ends_with() { # CODE PROGRAM...
  local code where
  for where in full closed; do
    code=0
    if [ "$where" = full ]; then
      "${@:2}" 2> /dev/full || code=$?
    else
      "${@:2}" 2>&- || code=$?
    fi
    [ "$code" = "$1" ] && continue
    printf 'its standard error is %s; ended with %s, not %s: %s\n' "$where" \
      "$code" "$1" "${*:2}"
    wrong=1
  done
}

for program in orderlyd orderly-agent orderly-repair; do
  ends_with 2 "$bin/$program" --config "$folder/bad.toml"
done
ends_with 2 "$bin/orderlyd" --check --config "$folder/bad.toml"
ends_with 1 "$bin/orderly-repair" --config "$folder/agent.toml"
ends_with 5 "$bin/orderly" --socket "$folder/none" status
exit $wrong
