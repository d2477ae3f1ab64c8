// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/query/list_query.hpp"

#include "io/query/values.hpp"

#include <fmt/format.h>

namespace orderly::io::http {

result<list_query>
read_list_query(const std::map<std::string, std::string>& from,
                const words& states) {
  constexpr std::uint32_t limit_max = 100000;
  list_query q;
  for (const auto& [name, value] : from) {
    if (name == "node")
      q.node = value;
    else if (name == "group")
      q.group = value;
    else if (name == "state")
      q.state = value;
    else if (name == "cursor")
      q.after = value;
    else if (name == "limit"
             && (!read_number(value, q.limit) || q.limit < 1
                 || q.limit > limit_max))
      return fault{fault_kind::bad_input,
                   fmt::format("'limit' is '{}', it must be a number from 1 to "
                               "{}",
                               value, limit_max)};
  }
  if (!q.state.empty() && !is_one_of(states, q.state))
    return unknown_word("state", q.state, states);
  return q;
}

} // namespace orderly::io::http
