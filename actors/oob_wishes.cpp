// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/oob_wishes.hpp"

#include "actors/policy/utc.hpp"

#include <fmt/format.h>

namespace orderly::oob_parts {

namespace {

power_state wanted_from(const std::string& text) {
  for (auto x : {power_state::on, power_state::off})
    if (text == to_string(x))
      return x;
  return power_state::unknown;
}

std::string told(const node_name& node, const power_wish& wish) {
  return fmt::format("{} wants {} {} since {}{}", wish.who, node,
                     to_string(wish.wanted), utc_text(wish.at),
                     wish.why.empty() ? "" : " (" + wish.why + ")");
}

} // namespace

bool makes_wish(const power_order& order) {
  return !order.who.empty()
         && (order.verb == power_verb::on || order.verb == power_verb::off);
}

power_wish wish_of(const power_order& order, instant at) {
  auto wanted
    = order.verb == power_verb::on ? power_state::on : power_state::off;
  return {wanted, order.who, order.why, at};
}

journal_entry wish_entry(const node_name& node, const power_wish& wish) {
  fields kept;
  kept.put("wanted", to_string(wish.wanted));
  kept.put("who", wish.who);
  kept.put("why", wish.why);
  kept.put("at", wish.at);
  journal_entry entry;
  entry.at = wish.at;
  entry.kind = entry_kind::note;
  entry.object = node_object(node);
  entry.code = "power-wish";
  entry.why = told(node, wish);
  entry.state = std::move(kept);
  entry.state_key = wish_prefix + node;
  return entry;
}

wish_map wishes_from(const std::map<std::string, fields>& states) {
  wish_map result;
  const std::string prefix = wish_prefix;
  for (const auto& [key, kept] : states) {
    auto wanted = wanted_from(kept.text("wanted"));
    if (key.compare(0, prefix.size(), prefix) != 0
        || wanted == power_state::unknown)
      continue;
    result[key.substr(prefix.size())]
      = {wanted, kept.text("who"), kept.text("why"), kept.when("at")};
  }
  return result;
}

std::string why_against_wish(const wish_map& wishes, const power_order& order) {
  auto i = wishes.find(order.node);
  if (i == wishes.end() || !order.who.empty() || is_reading(order.verb))
    return {};
  const auto& wish = i->second;
  if (wish.wanted == power_state::off && order.verb != power_verb::off)
    return fmt::format("refused: {}; only a person may change that, with "
                       "`orderly power on {}`",
                       told(order.node, wish), order.node);
  if (wish.wanted == power_state::on && order.verb != power_verb::on
      && wish.at > order.since)
    return fmt::format("refused: {}, which is younger than the trouble; only a "
                       "person may change that, with `orderly power off {}`",
                       told(order.node, wish), order.node);
  return {};
}

} // namespace orderly::oob_parts
