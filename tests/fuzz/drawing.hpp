// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a fuzz target draws from its input: numbers, words, auto-repair tags.

#pragma once

#include "actors/policy/repair/tags.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace orderly::fuzz {

using texts = std::vector<std::string>;

inline void demand(bool holds) {
  if (!holds)
    std::abort();
}

inline bool has(const texts& all, const std::string& x) {
  return std::find(all.begin(), all.end(), x) != all.end();
}

/// The input, byte by byte; zeros behind its end.
class bytes {
public:
  bytes(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {
    // nop
  }

  std::size_t below(std::size_t n) {
    if (left_ == 0)
      return 0;
    --left_;
    return *at_++ % n;
  }

  bool once_in(std::size_t n) { return below(n) == 1; }

  template <std::size_t N>
  std::string one_of(const char* const (&words)[N]) {
    return words[below(N)];
  }

  std::string raw() {
    std::string text;
    for (auto n = below(40); n > 0; --n)
      text += static_cast<char>(below(256));
    return text;
  }

  [[nodiscard]] bool done() const { return left_ == 0; }

private:
  const std::uint8_t* at_;
  std::size_t left_;
};

/// Most are good, some are not, some are nobody's.
inline std::string draw_tag(bytes& in) {
  auto type = in.one_of(
    {"fix-storage", "migrate", "failover", "reinstall", "failover", "repair"});
  auto id = in.one_of({"a", "b", "11111111-1111-4111-8111-111111111111", ""});
  auto time = in.one_of({"1600000000", "1700000000", "1700000060", "1800000000",
                         "1", "soon", "-1", "99999999999999999999"});
  auto jobs = in.one_of({"", "1", "1+2", "1000000001+1000000002+1000000003",
                         "18446744073709551615", "-1", "1+"});
  auto end = in.one_of({"success", "enoperm", "failure", "maybe"});
  std::string head{tags::prefix};
  switch (in.below(9)) {
  case 0:
  case 1:
    return head + type;
  case 2:
    return head + "suspend";
  case 3:
    return head + "suspend:" + time;
  case 4:
  case 5:
    return head + "pending:" + type + ":" + id + ":" + time + ":" + jobs;
  case 6:
    return head + "result:" + type + ":" + id + ":" + time + ":" + end + ":"
           + jobs;
  case 7:
    return head + in.raw();
  default:
    return in.raw();
  }
}

} // namespace orderly::fuzz
