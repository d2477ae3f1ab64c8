// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// JSON from nodes, read for one purpose: to tell whether two texts say the
// same. Keys are sorted, and a number is its exact value however it is spelled,
// so that 1, 1.0 and 10e-1 are one and 0.1 is no other number than written.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace orderly::maintenance {

inline constexpr std::size_t json_size_max = 64 * 1024;
inline constexpr std::size_t json_depth_max = 32;

struct exact_json {
  std::string wrong; ///< what is wrong and where; empty: nothing
  std::string canonical;
  bool is_object = false;
  /// Of an object: its own members that are texts, and what they say.
  std::map<std::string, std::string> texts;
  /// Likewise: those that are something else.
  std::map<std::string, std::string> others;
};

/// Never fails: what is wrong is in the answer.
exact_json read_exact(std::string_view text);

} // namespace orderly::maintenance
