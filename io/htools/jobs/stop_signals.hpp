// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// While one of these lives, SIGINT asks for a stop and SIGTERM ends the program
// at once with 2, as the reference does. hbal -X has one.

#pragma once

#include <csignal>

namespace orderly::io::htools {

class stop_signals {
public:
  /// What is said about a signal is written to `descriptor`.
  explicit stop_signals(int descriptor);
  ~stop_signals();
  stop_signals(const stop_signals&) = delete;
  stop_signals& operator=(const stop_signals&) = delete;

  /// Has there been a SIGINT?
  bool is_stop_wanted() const;

private:
  struct sigaction old_int_ {};

  struct sigaction old_term_ {};
};

} // namespace orderly::io::htools
