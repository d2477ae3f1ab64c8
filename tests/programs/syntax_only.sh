#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Stands before the compiler's command and lets it look at the file without
# making code of it: a third of the time. The object that the build waits for
# is left empty, and only if the file is well.

set -eu

object=
before=
for word in "$@"; do
  [ "$before" != -o ] || object=$word
  before=$word
done
"$@" -fsyntax-only
[ -z "$object" ] || : > "$object"
