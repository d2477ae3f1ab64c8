// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is said of a luxid that is not reached or not understood: its first
// trouble and its end, and of one that changes its mind with each question no
// more than a sentence in five minutes. Used by the cluster port.

#pragma once

#include "messages/time.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace orderly::io {

class trouble_talk {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// The sentence after a reading that came to `trouble`; empty, here and
  /// there: none.
  std::string after(const std::string& trouble, time_point at);

private:
  static constexpr millis silent_for = minutes{5};

  bool troubled_ = false;
  bool told_ = false; ///< of the trouble that there is
  std::optional<time_point> last_;
};

} // namespace orderly::io
