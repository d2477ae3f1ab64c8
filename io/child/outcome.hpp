// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is asked of the runner of helper programs and what it tells. Plain
// values: the decoder and its tests need no process to talk about one.

#pragma once

#include "messages/time.hpp"

#include <string>
#include <vector>

namespace orderly::io::child {

/// One call of a program. No shell is involved.
struct command {
  std::string program; ///< absolute path
  std::vector<std::string> arguments;
  /// Counted from the call of `run`, time in the queue included, so that the
  /// asker knows when nothing can be done in its name any more.
  millis time_limit{};
  /// Its environment is empty. Then it has no mark either: what it leaves is
  /// known only to who has no other children (`runner_limits::alone`).
  bool bare = false;
  /// Nothing is run that had to wait longer: what spoke for it is old by then.
  /// Zero: it may wait for all of its time.
  millis start_within{};
  /// `NAME=VALUE` each, in its environment, too.
  std::vector<std::string> variables{};
  /// What it reads from its standard input; empty: that is /dev/null.
  std::string input{};
  /// A descriptor of ours that it and its children have, too; -1: none.
  int shared_file = -1;
};

/// What came of it.
struct outcome {
  /// Not empty: nothing was run, for this reason.
  std::string refused;
  bool timed_out = false;
  int exit_code = -1; ///< -1: it did not exit by itself
  int signal = 0;     ///< what ended it, 0: nothing did
  std::string out;    ///< the kept head of its standard output
  std::string err;    ///< the kept head of its standard error
  bool out_truncated = false;
  bool err_truncated = false;
};

} // namespace orderly::io::child
