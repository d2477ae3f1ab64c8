// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/health.hpp"

namespace orderly::planning {

health health_of(const placement& p, global_n1* n1) {
  health h;
  for (int n = 0; n < p.node_count(); ++n) {
    const auto& s = p.states[static_cast<std::size_t>(n)];
    auto online = p.facts[static_cast<std::size_t>(n)].online;
    h.short_nodes += online && s.short_of_memory ? 1 : 0;
    h.conflicted_nodes += s.conflicts > 0 ? 1 : 0;
    h.offline_primaries += online ? 0 : s.primaries;
    h.offline_secondaries += online ? 0 : s.secondaries;
    if (n1)
      h.unlosable_nodes += n1->can_lose(n) ? 0 : 1;
  }
  h.score = exact_score(p);
  return h;
}

health& operator+=(health& a, const health& b) {
  a.short_nodes += b.short_nodes;
  a.conflicted_nodes += b.conflicted_nodes;
  a.offline_primaries += b.offline_primaries;
  a.offline_secondaries += b.offline_secondaries;
  a.unlosable_nodes += b.unlosable_nodes;
  a.score += b.score;
  return a;
}

void mend(placement& p, global_n1* n1, const search_rules& rules) {
  balance(p, rules, [n1](const step& s) {
    if (n1)
      n1->moved(s.what.instance);
  });
}

} // namespace orderly::planning
