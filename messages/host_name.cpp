// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/host_name.hpp"

#include "messages/ascii.hpp"

#include <algorithm>

namespace orderly {

namespace {

constexpr std::size_t name_max = 253;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool fits_name(char c) {
  c = lower(c);
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '.'
         || c == '_';
}

bool fits_group(char c) {
  c = lower(c);
  return is_digit(c) || (c >= 'a' && c <= 'f');
}

/// How many groups of one to four hexadecimal digits stand between the colons
/// of `text`; -1: something else does.
int groups_in(std::string_view text) {
  constexpr std::size_t digits_max = 4;
  auto count = 0;
  while (!text.empty()) {
    auto colon = std::min(text.find(':'), text.size());
    auto group = text.substr(0, colon);
    if (group.empty() || group.size() > digits_max || colon + 1 == text.size()
        || !std::all_of(group.begin(), group.end(), fits_group))
      return -1;
    ++count;
    text.remove_prefix(std::min(colon + 1, text.size()));
  }
  return count;
}

} // namespace

bool is_host_name(std::string_view text) {
  return !text.empty() && text.size() <= name_max && text.back() != '.'
         && std::all_of(text.begin(), text.end(), fits_name);
}

bool is_ipv6_address(std::string_view text) {
  constexpr int groups = 8;
  auto gap = text.find("::");
  if (gap == text.npos)
    return groups_in(text) == groups;
  auto before = groups_in(text.substr(0, gap));
  auto behind = groups_in(text.substr(gap + 2));
  return before >= 0 && behind >= 0 && before + behind < groups;
}

bool is_same_host(std::string_view own, std::string_view node) {
  auto same = [](char a, char b) { return lower(a) == lower(b); };
  auto starts = [&](std::string_view shorter, std::string_view longer) {
    return !shorter.empty() && shorter.size() < longer.size()
           && shorter.find('.') == std::string_view::npos
           && longer[shorter.size()] == '.'
           && std::equal(shorter.begin(), shorter.end(), longer.begin(), same);
  };
  return (!own.empty() && own.size() == node.size()
          && std::equal(own.begin(), own.end(), node.begin(), same))
         || starts(own, node) || starts(node, own);
}

} // namespace orderly
