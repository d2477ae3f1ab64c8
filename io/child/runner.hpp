// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Runs helper programs on the io loop: a bounded number at once, the rest in
// a bounded queue, each with a time limit that ends it and everything that it
// started. Used by the power port.
//
//   waiting --slot free--> running --time is over--> TERM --kill_delay--> KILL
//                             |                        |                   |
//                             +------- leader exits ---+-------------------+
//                             v
//   draining (its streams, at most `drain`) --> group killed, reaped, answered
//   --> soon after: what left the group is killed, too

#pragma once

#include "io/child/outcome.hpp"
#include "io/loop/loop.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace orderly::io::child {

struct runner_limits {
  std::uint32_t parallel_max = 64;
  std::uint32_t queued_max = 1000;
  millis kill_delay = seconds{5}; ///< from TERM to KILL
  /// Streams may stay open so long after the leader's exit, by grandchildren.
  millis drain{500};
  /// Kept of each stream. A health answer takes some 40 bytes a sensor.
  std::size_t output_max = 256 * 1024;
  /// Whoever prints more is ended like one who takes too long.
  bool end_when_full = false;
  /// This process has no other children than helpers: whatever else comes to it
  /// was left behind by one.
  bool alone = false;
  std::string scope; ///< of the marks of helpers, as in `leftovers`
};

class runner {
public:
  using callback = std::function<void(outcome)>;

  /// `where` must outlive the runner.
  runner(loop& where, runner_limits limits);
  ~runner(); ///< what runs goes on to its end, and is still answered

  runner(const runner&) = delete;
  runner& operator=(const runner&) = delete;

  /// Runs `what` and calls `done` exactly once, on the loop's thread, at the
  /// latest a few seconds after `time_limit` and `kill_delay`. Safe from any
  /// thread. Programs that still run when the loop is destroyed are killed.
  void run(command what, callback done);

  /// Ends what runs, as if its time was over, and starts nothing any more. Safe
  /// from any thread.
  void close();

  /// Ends what helpers left behind, and returns when nothing of it is found any
  /// more, or after a few seconds. For who ends next: once the loop has
  /// stopped.
  void end_rest();

private:
  struct pool;
  class job;
  std::shared_ptr<pool> pool_;
  loop& loop_;
};

} // namespace orderly::io::child
