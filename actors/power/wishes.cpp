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

/// After an order that failed: longer than until its last check is over.
constexpr millis unhurt_for = minutes{2};

/// It is the order that the wish came from.
bool is_order_itself(const power_order& order) {
  return order.verb == power_verb::off && makes_wish(order);
}

/// Since when may it be off by order? Of several orders the first counts.
instant off_since(const power_wish& wish) {
  if (!wish.switched_off.empty() && wish.switched_at != never)
    return wish.switched_at;
  return wish.at;
}

/// Who had it switched off, and why, as far as its being off may be due to
/// that; or empty.
std::string off_text(const power_wish& wish) {
  if (wish.wanted != power_state::off)
    return wish.switched_off;
  return fmt::format("{} had it switched off{}", wish.who,
                     wish.why.empty() ? "" : ": " + wish.why);
}

std::string wish_text(const node_name& node, const power_wish& wish) {
  if (wish.wanted == power_state::unknown)
    return wish.switched_off.empty()
             ? fmt::format("{} is not off by order any more", node)
             : wish.switched_off;
  return fmt::format("{} wants {} {} since {}{}", wish.who, node,
                     to_string(wish.wanted), utc_text(wish.at),
                     wish.why.empty() ? "" : " (" + wish.why + ")");
}

} // namespace

bool is_void(const kept_wish& kept) {
  return kept.wish.wanted == power_state::unknown
         && kept.wish.switched_off.empty();
}

bool makes_wish(const power_order& order) {
  return !order.who.empty()
         && (order.verb == power_verb::on || order.verb == power_verb::off
             || order.verb == power_verb::cycle);
}

namespace {

/// The half of a cycle that switches on may fail.
kept_wish wish_of_cycle(const power_order& order, kept_wish kept, instant at) {
  kept.uuid = order.uuid;
  if (kept.wish.wanted == power_state::off)
    return kept;
  kept.wish.switched_at
    = kept.wish.switched_off.empty() ? at : off_since(kept.wish);
  kept.wish.at = at;
  kept.wish.switched_off
    = fmt::format("{} had it power-cycled{}", order.who,
                  order.why.empty() ? "" : ": " + order.why);
  return kept;
}

} // namespace

kept_wish wish_of(const power_order& order, const wish_map& before,
                  instant at) {
  auto wanted
    = order.verb == power_verb::on ? power_state::on : power_state::off;
  auto i = before.find(order.node);
  auto same = i != before.end() && i->second.uuid == order.uuid;
  if (order.verb == power_verb::cycle)
    return wish_of_cycle(order, same ? i->second : kept_wish{}, at);
  auto met
    = i != before.end() && i->second.met && i->second.wish.wanted == wanted;
  auto earlier = same ? off_text(i->second.wish) : std::string{};
  auto since = earlier.empty() ? never : off_since(i->second.wish);
  return {{wanted, order.who, order.why, at, {}, std::move(earlier), since},
          order.uuid,
          met,
          false,
          0};
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

namespace {

fields state_of(const kept_wish& kept) {
  fields state;
  state.put("wanted", to_string(kept.wish.wanted));
  state.put("who", kept.wish.who);
  state.put("why", kept.wish.why);
  state.put("at", kept.wish.at);
  state.put("uuid", kept.uuid);
  state.put("met", kept.met);
  state.put("in_doubt", kept.in_doubt);
  state.put("switched_off", kept.wish.switched_off);
  state.put_known("switched_at", kept.wish.switched_at);
  return state;
}

} // namespace

journal_entry wish_entry(const node_name& node, const kept_wish& kept,
                         instant at) {
  journal_entry entry;
  entry.at = at;
  entry.kind = entry_kind::note;
  entry.object = node_object(node);
  entry.code = kept.met ? "power-wish-met" : "power-wish";
  entry.why = wish_text(node, kept.wish);
  entry.state = state_of(kept);
  entry.state_key = wish_prefix + node;
  return entry;
}

std::string why_ended(const kept_wish& kept) {
  return kept.met ? "it was off, and is read as on time and again: somebody "
                    "switched it on"
                  : "its order failed, and it is read as on time and again";
}

kept_wish rest_of(const kept_wish& kept) {
  kept_wish rest;
  rest.wish.at = kept.wish.at;
  rest.wish.switched_off = off_text(kept.wish);
  rest.wish.switched_at = off_since(kept.wish);
  rest.uuid = kept.uuid;
  return rest;
}

journal_entry wish_end_entry(const node_name& node, const kept_wish& kept,
                             const std::optional<kept_wish>& rest,
                             const std::string& why, instant at) {
  journal_entry entry;
  entry.at = at;
  entry.kind = entry_kind::decision;
  entry.object = node_object(node);
  entry.code = "power-wish-ended";
  entry.why
    = fmt::format("no longer holds: {}; {}", wish_text(node, kept.wish), why);
  entry.state = rest ? state_of(*rest) : fields{};
  entry.state_key = wish_prefix + node;
  return entry;
}

wish_map wishes_from(const std::map<std::string, fields>& states, instant now) {
  wish_map result;
  const std::string prefix = wish_prefix;
  for (const auto& [key, kept] : states) {
    if (key.compare(0, prefix.size(), prefix) != 0)
      continue;
    kept_wish x;
    x.wish.wanted = wanted_from(kept.text("wanted"));
    x.wish.who = kept.text("who");
    x.wish.why = kept.text("why");
    x.wish.at = std::min(kept.when("at"), now);
    x.wish.switched_off = kept.text("switched_off");
    x.wish.switched_at = std::min(kept.when("switched_at"), now);
    x.uuid = kept.text("uuid");
    x.met = kept.number("met") != 0;
    x.in_doubt = kept.number("in_doubt") != 0;
    if (!is_void(x))
      result[key.substr(prefix.size())] = std::move(x);
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
    kept.in_doubt = false;
    return std::exchange(kept.met, true) ? wish_news::none : wish_news::met;
  }
  if ((!kept.met && !kept.in_doubt) || verb != power_verb::status)
    return wish_news::none;
  return ++kept.contrary < contrary_max ? wish_news::none : wish_news::ended;
}

bool note_doubt(kept_wish& kept, const power_order& order,
                const power_report& report) {
  return is_order_itself(order) && !kept.met && !report.confirmed
         && report.state == power_state::unknown
         && !std::exchange(kept.in_doubt, true);
}

bool has_answered(const kept_wish& kept, const power_order& order) {
  return order.answers_since != never && order.answered_at > kept.wish.at;
}

bool note_life(kept_wish& kept, const power_order& order,
               const power_report& report) {
  auto by_person = order.verb == power_verb::cycle && !order.who.empty();
  auto raised = (order.verb == power_verb::on || by_person) && report.confirmed
                && report.state != power_state::off;
  // Long after that order: it was not off by it, or not for good.
  auto lived = order.answered_at > kept.wish.at + unhurt_for;
  if (kept.wish.switched_off.empty()
      || (!raised && !lived && !has_answered(kept, order)))
    return false;
  kept.wish.switched_off.clear();
  kept.wish.switched_at = never;
  return true;
}

std::string why_over(const kept_wish& kept, const power_order& order,
                     const power_report& report) {
  const auto& wish = kept.wish;
  if (wish.wanted != power_state::off)
    return {};
  if (is_order_itself(order) && report.state == power_state::on && !kept.met)
    return "the order failed, and the node is read as on";
  if (!has_answered(kept, order))
    return {};
  // What asks may have waited for its turn, and its answer be long in coming.
  auto answers = std::min(report.at, order.answered_at)
                 - std::max(order.answers_since, wish.at);
  if (kept.in_doubt && answers >= unhurt_for)
    return "its order failed, and it is in service and answers";
  if (answers >= in_service_for)
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
