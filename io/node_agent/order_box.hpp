// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The order that waits for the job which runs it. One at a time: a newer one
// takes its place, and each is taken once. The agent keeps it, `orderly-repair`
// takes it.
//
//   (nothing) --keep--> deposited --take--> claimed --> taken: its intent is
//                            |                          kept, so that the same
//                            '--keep--> another         is not kept again
//
// Claimed by another name, it is out of the way of the next one. What a taker
// left there that died is taken next, if it was not taken and no newer one
// came.

#pragma once

#include "io/report/order.hpp"

#include <string>

namespace orderly::io::node_agent {

class order_box {
public:
  /// So long an order may wait for its job.
  static constexpr millis good_for{hours{1}};

  explicit order_box(const std::string& folder);

  /// Why it is not kept; empty: it is on the disk.
  std::string keep(const report::repair_order& what);

  /// It is on the disk that it was taken before this returns it. For one at a
  /// time: `orderly-repair` holds its lock.
  result<report::repair_order> take(instant now);

private:
  [[nodiscard]] result<std::string> taken() const;
  /// Why the order in that file may be somebody else's; empty: it is not.
  [[nodiscard]] static std::string why_not_ours(const std::string& file);
  /// Why it could not be tried; empty: what is deposited, if anything is, is
  /// claimed.
  [[nodiscard]] std::string claim() const;

  std::string kept_at_;
  std::string claimed_at_;
  std::string taken_at_;
};

} // namespace orderly::io::node_agent
