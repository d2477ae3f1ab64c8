#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# forgotten_include.sh COMPILER: what `./dev alone` looks with passes a file
# that includes what it uses, and stops at one that does not.

set -eu

compiler=$1
look=$(dirname "$(readlink -f "$0")")/syntax_only.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "$1" >&2
  exit 1
}

printf '#include <string>\nstd::string whole;\n' > "$folder/whole.cpp"
printf 'std::string forgot;\n' > "$folder/forgot.cpp"

"$look" "$compiler" -o "$folder/whole.o" -c "$folder/whole.cpp" ||
  fail "a file that includes what it uses was refused"
[ -e "$folder/whole.o" ] || fail "there is no object for the build to find"
[ ! -s "$folder/whole.o" ] || fail "code was made, which takes its time"

if "$look" "$compiler" -o "$folder/forgot.o" -c "$folder/forgot.cpp" \
  2> "$folder/said"; then
  fail "a file that forgot an include was passed"
fi
grep -q "forgot.cpp:1" "$folder/said" || fail "the place is not named"
[ ! -e "$folder/forgot.o" ] || fail "the build would go on with that file"
