// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/same_host.hpp"

#include <algorithm>
#include <cctype>

namespace orderly {

bool is_same_host(std::string_view own, std::string_view node) {
  auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a))
           == std::tolower(static_cast<unsigned char>(b));
  };
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
