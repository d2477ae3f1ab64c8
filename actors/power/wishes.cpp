// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/power/wishes.hpp"

#include "actors/policy/base/utc.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::oob_parts {

namespace {

power_state wanted_from(const std::string& text) {
  for (auto x : {power_state::on, power_state::off})
    if (text == to_string(x))
      return x;
  return power_state::unknown;
}

/// One reading may be a fluke, or another machine's.
constexpr std::uint32_t contrary_max = 2;

/// A node in service whose daemons answer for so long is not off, nor about to
/// be.
constexpr millis in_service_for = minutes{10};

std::string wish_text(const node_name& node, const power_wish& wish) {
  return fmt::format("{} wants {} {} since {}{}", wish.who, node,
                     to_string(wish.wanted), utc_text(wish.at),
                     wish.why.empty() ? "" : " (" + wish.why + ")");
}

} // namespace

bool makes_wish(const power_order& order) {
  return !order.who.empty()
         && (order.verb == power_verb::on || order.verb == power_verb::off);
}

kept_wish wish_of(const power_order& order, const wish_map& before,
                  instant at) {
  auto wanted
    = order.verb == power_verb::on ? power_state::on : power_state::off;
  auto i = before.find(order.node);
  auto met
    = i != before.end() && i->second.met && i->second.wish.wanted == wanted;
  return {{wanted, order.who, order.why, at, {}}, order.uuid, met, 0};
}

power_wish wish_for(const wish_map& wishes, const node_name& node) {
  auto i = wishes.find(node);
  return i == wishes.end() ? power_wish{} : i->second.wish;
}

power_wishes told(const wish_map& wishes) {
  power_wishes result;
  for (const auto& [node, kept] : wishes)
    result.wishes.emplace(node, kept.wish).first->second.uuid = kept.uuid;
  return result;
}

journal_entry wish_entry(const node_name& node, const kept_wish& kept,
                         instant at) {
  fields state;
  state.put("wanted", to_string(kept.wish.wanted));
  state.put("who", kept.wish.who);
  state.put("why", kept.wish.why);
  state.put("at", kept.wish.at);
  state.put("uuid", kept.uuid);
  state.put("met", kept.met);
  journal_entry entry;
  entry.at = at;
  entry.kind = entry_kind::note;
  entry.object = node_object(node);
  entry.code = kept.met ? "power-wish-met" : "power-wish";
  entry.why = wish_text(node, kept.wish);
  entry.state = std::move(state);
  entry.state_key = wish_prefix + node;
  return entry;
}

journal_entry wish_end_entry(const node_name& node, const kept_wish& kept,
                             const std::string& why, instant at) {
  journal_entry entry;
  entry.at = at;
  entry.kind = entry_kind::decision;
  entry.object = node_object(node);
  entry.code = "power-wish-ended";
  entry.why
    = fmt::format("no longer holds: {}; {}", wish_text(node, kept.wish), why);
  entry.state = fields{};
  entry.state_key = wish_prefix + node;
  return entry;
}

wish_map wishes_from(const std::map<std::string, fields>& states, instant now) {
  wish_map result;
  const std::string prefix = wish_prefix;
  for (const auto& [key, kept] : states) {
    auto wanted = wanted_from(kept.text("wanted"));
    if (key.compare(0, prefix.size(), prefix) != 0
        || wanted == power_state::unknown)
      continue;
    result[key.substr(prefix.size())] = {{wanted,
                                          kept.text("who"),
                                          kept.text("why"),
                                          std::min(kept.when("at"), now),
                                          {}},
                                         kept.text("uuid"),
                                         kept.number("met") != 0,
                                         0};
  }
  return result;
}

std::string why_void(const wish_map& wishes, const power_order& order) {
  auto kept = wishes.find(order.node);
  if (kept == wishes.end() || order.uuid.empty() || kept->second.uuid.empty()
      || kept->second.uuid == order.uuid)
    return {};
  return "that was another node of this name";
}

wish_news observe(kept_wish& kept, power_verb verb, power_state seen) {
  if (kept.wish.wanted != power_state::off || seen == power_state::unknown)
    return wish_news::none;
  if (seen == power_state::off) {
    kept.contrary = 0;
    return std::exchange(kept.met, true) ? wish_news::none : wish_news::met;
  }
  if (!kept.met || verb != power_verb::status)
    return wish_news::none;
  return ++kept.contrary < contrary_max ? wish_news::none : wish_news::ended;
}

std::string why_over(const kept_wish& kept, const power_order& order,
                     const power_report& report) {
  const auto& wish = kept.wish;
  if (wish.wanted != power_state::off)
    return {};
  auto failed = order.verb == power_verb::off && makes_wish(order)
                && !report.confirmed && report.state != power_state::off;
  if (failed && !kept.met)
    return "the order failed, and the node is not read as off";
  if (order.answers_since != never
      && report.at - std::max(order.answers_since, wish.at) >= in_service_for)
    return fmt::format("it is in service, and its daemons answer for {} "
                       "minutes",
                       in_service_for / minutes{1});
  return {};
}

std::string why_against_wish(const wish_map& wishes, const power_order& order) {
  auto i = wishes.find(order.node);
  if (i == wishes.end() || !order.who.empty() || is_reading(order.verb))
    return {};
  const auto& wish = i->second.wish;
  if (wish.wanted == power_state::off && order.verb != power_verb::off)
    return fmt::format("refused: {}; only a person may change that, with "
                       "`orderly power on {}`",
                       wish_text(order.node, wish), order.node);
  if (wish.wanted == power_state::on && order.verb != power_verb::on
      && wish.at > order.since)
    return fmt::format("refused: {}, which is younger than the trouble; only a "
                       "person may change that, with `orderly power off {}`",
                       wish_text(order.node, wish), order.node);
  return {};
}

} // namespace orderly::oob_parts
