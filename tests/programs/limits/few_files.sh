#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# A daemon that may open too few files says which limit to raise, and ends: one
# that starts all the same would fail wherever it opens the next.
#
#   few_files.sh ORDERLYD

set -u
wrong=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for files in 8 12 16 24 31; do
  code=0
  said=$(ulimit -n $files
         timeout 20 "$1" --demo --demo-folder "$folder" 2>&1) || code=$?
  [ "$code" = 2 ] && grep -q 'LimitNOFILE' <<< "$said" && continue
  printf 'with %s files it ended with %s:\n%s\n' "$files" "$code" "$said"
  wrong=1
done
exit $wrong
