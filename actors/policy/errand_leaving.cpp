// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which nodes an errand takes away: an accepted order is a reservation at
// once, or what is placed there meanwhile would have to move again, or go down
// with the node.

#include "actors/policy/errand.hpp"

#include <fmt/format.h>

namespace orderly::errand {

namespace {

bool takes_away(const errand_request& asked) {
  if (const auto* x = std::get_if<power_errand>(&asked.what))
    return x->verb == power_verb::off || x->verb == power_verb::cycle;
  if (const auto* x = std::get_if<epo_errand>(&asked.what))
    return !x->on;
  if (const auto* x = std::get_if<modify_errand>(&asked.what))
    return x->offline.value_or(false) || !x->powered.value_or(true);
  return std::holds_alternative<confirm_errand>(asked.what);
}

} // namespace

std::map<node_name, std::string> leaving(const state& s) {
  std::map<node_name, std::string> result;
  if (s.ended != never || s.asked.dry || !takes_away(s.asked))
    return result;
  for (const auto& r : s.rows)
    if (r.kind == "node" && !is_final(r.state))
      result.emplace(
        r.object, fmt::format("{}, the {} by {}", s.id, kind_of(s.asked),
                              s.asked.who.empty() ? "somebody" : s.asked.who));
  return result;
}

} // namespace orderly::errand
