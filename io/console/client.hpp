// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One HTTP request over the daemon's unix socket, for the command line:
// blocking, with one deadline for everything and a bound on the answer.

#pragma once

#include "messages/result.hpp"
#include "messages/time.hpp"

#include <string>

namespace orderly::io::console {

struct client_rules {
  std::string socket;
  millis deadline = seconds{15};
  size_t answer_max = size_t{64} << 20; ///< bytes, header included
};

struct client_answer {
  int status = 0;
  std::string body;
};

/// Fails as `unreachable` if nobody listens there, `refused` if we may not
/// connect, `timed_out`, or `bad_input` if the answer is no HTTP. An answer
/// of any status is no failure. `acts`: it is an order, and once it was sent
/// each failure is `unknown_outcome`.
result<client_answer> ask(const client_rules& rules, const std::string& method,
                          const std::string& target, const std::string& body,
                          bool acts = false);

/// Takes a whole HTTP answer apart; fails as `bad_input`.
result<client_answer> parse_answer(const std::string& raw);

} // namespace orderly::io::console
