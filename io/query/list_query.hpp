// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which rows of a list somebody wants: /2/nodes and /2/instances with
// parameters.

#pragma once

#include "io/query/values.hpp"
#include "messages/result.hpp"

#include <map>
#include <string>

namespace orderly::io::http {

struct list_query {
  std::string node;        ///< of an instance: one that it lives on; empty: any
  std::string group;       ///< of a node
  std::string state;       ///< phase
  std::string after;       ///< names behind this one only: the cursor
  std::uint32_t limit = 0; ///< at most so many; 0: all
};

/// Parameters that `read_list_query` knows.
inline constexpr const char* list_parameters[]
  = {"node", "group", "state", "limit", "cursor"};

/// `states`: what there is of them in that list.
result<list_query>
read_list_query(const std::map<std::string, std::string>& from,
                const words& states);

} // namespace orderly::io::http
