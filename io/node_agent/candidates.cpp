// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/candidates.hpp"

namespace orderly::io::node_agent {

namespace {

constexpr std::size_t sha1_digits = 40;

/// Empty if `text` spells no SHA-1.
std::string plain_digest(std::string_view text) {
  std::string result;
  for (auto c : text) {
    if (c == ':')
      continue;
    auto low = static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    if ((low < '0' || low > '9') && (low < 'a' || low > 'f'))
      return {};
    result += low;
  }
  return result.size() == sha1_digits ? result : std::string{};
}

} // namespace

std::map<std::string, std::string> read_candidates(std::string_view text) {
  std::map<std::string, std::string> result;
  while (!text.empty()) {
    auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    auto at = line.find('=');
    if (at == std::string_view::npos || at == 0)
      continue;
    if (auto digest = plain_digest(line.substr(at + 1)); !digest.empty())
      result.emplace(std::move(digest), line.substr(0, at));
  }
  return result;
}

} // namespace orderly::io::node_agent
