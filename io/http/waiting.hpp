// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Readers who wait for what is being made, and whether it still is: a step of
// that which found no memory is never heard of again, and nobody must wait for
// it for ever. Used by the snapshots.

#pragma once

#include "messages/result.hpp"
#include "messages/time.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace orderly::io::http {

using steady = std::chrono::steady_clock;

/// Something that is under way; for so long at most.
class under_way {
public:
  void begin(millis limit) { until_ = steady::now() + limit; }

  void end() { until_.reset(); }

  explicit operator bool() const { return until_ && steady::now() < *until_; }

private:
  std::optional<steady::time_point> until_;
};

/// Somebody who waits, and knows of all that was changed until `since`: what
/// was asked for later is good enough. So nobody waits for more than two
/// answers, however often something is changed meanwhile.
template <class Wanted>
struct waiter {
  steady::time_point since;
  std::function<void(result<Wanted>)> then;
  bool packed = false;
};

/// Takes those out of `all` for whom an answer of that moment is good.
template <class Wanted>
std::vector<waiter<Wanted>> served_by(std::vector<waiter<Wanted>>& all,
                                      steady::time_point began) {
  auto i = std::stable_partition(
    all.begin(), all.end(), [&](const auto& x) { return x.since >= began; });
  std::vector<waiter<Wanted>> result{std::make_move_iterator(i),
                                     std::make_move_iterator(all.end())};
  all.erase(i, all.end());
  return result;
}

/// What goes wrong with one reader is no other reader's trouble.
template <class Wanted>
void answer_all(std::vector<waiter<Wanted>> waiting,
                const result<Wanted>& answer) {
  for (auto& x : waiting) {
    try {
      x.then(answer);
    } catch (const std::exception&) {
      // Its session ends by its deadline.
    }
  }
}

} // namespace orderly::io::http
