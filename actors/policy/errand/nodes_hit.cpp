// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/errand/nodes_hit.hpp"

#include "actors/policy/base/natural_order.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace orderly {

std::vector<const errand_row*> nodes_hit(const errand_sheet& dry) {
  std::set<std::string> stopped;
  for (const auto& x : dry.rows)
    if (x.kind == row_kind::instance && !is_final(x.state))
      stopped.insert(x.object);
  std::vector<const errand_row*> result;
  for (const auto& x : dry.rows)
    if (x.kind == row_kind::node
        && (!is_final(x.state)
            || std::any_of(
              x.primaries.begin(), x.primaries.end(),
              [&](const auto& name) { return stopped.count(name) != 0; })))
      result.push_back(&x);
  std::stable_sort(result.begin(), result.end(), [](auto* x, auto* y) {
    return natural_less(x->object, y->object);
  });
  return result;
}

} // namespace orderly
