// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Gives a question a deadline: whichever comes first, the answer or the limit,
// is passed on; the other is dropped. Used by routes.

#pragma once

#include "io/loop/loop.hpp"
#include "messages/result.hpp"
#include "messages/time.hpp"

#include <functional>
#include <memory>

namespace orderly::io::http {

/// Lets exactly one of several callers through. Safe from any thread.
class first_only {
public:
  first_only();

  /// True for the first call only, on whichever copy.
  [[nodiscard]] bool claim() const;

private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Calls `expired` on the loop's thread after `limit` unless `first` was
/// claimed before, which it then claims itself. The function that is returned
/// gives the timer back early; safe from any thread.
std::function<void()> set_limit(loop& on, millis limit, first_only first,
                                std::function<void()> expired);

} // namespace orderly::io::http
