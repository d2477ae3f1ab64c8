// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/query/values.hpp"

#include "messages/standing.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

/// The words of an enum that begins at 0, up to its last value.
template <class Enum>
words words_up_to(Enum last) {
  words all;
  for (auto i = 0; i <= static_cast<int>(last); ++i)
    all.emplace_back(to_string(static_cast<Enum>(i)));
  return all;
}

} // namespace

const words& node_phases() {
  static const auto all = words_up_to(ha_phase::fenced);
  return all;
}

const words& instance_phases() {
  static const auto all = words_up_to(repair_phase::failed);
  return all;
}

bool is_one_of(const words& known, const std::string& value) {
  return std::find(known.begin(), known.end(), value) != known.end();
}

fault unknown_word(const std::string& key, const std::string& value,
                   const words& known) {
  return {fault_kind::bad_input,
          fmt::format("'{}' is '{}', it must be one of {}", key, value,
                      fmt::join(known, ", "))};
}

} // namespace orderly::io::http
