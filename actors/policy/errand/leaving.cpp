// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which nodes an errand takes away: an accepted order is a reservation at
// once, or what is placed there meanwhile would have to move again, or go down
// with the node. And which it brings back: what relies on their being off has
// to end before.

#include "actors/policy/errand/leaving.hpp"

#include "actors/policy/errand/asked.hpp"
#include "actors/policy/errand/grounds.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

/// "power-3, the power-off by root"
std::string name_of(const state& s) {
  return fmt::format("{}, the {} by {}", s.id, to_string(kind_of(s.asked)),
                     s.asked.who.empty() ? "somebody" : s.asked.who);
}

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
    if (r.kind == row_kind::node && !is_final(r.state))
      result.emplace(r.object, name_of(s));
  return result;
}

bool is_switched(const state& s, const row& r) {
  auto steps = steps_of(s, r);
  auto power = std::find(steps.begin(), steps.end(), step_kind::power);
  return power != steps.end()
         && !std::holds_alternative<verify_errand>(s.asked.what)
         && (r.state == row_state::done || r.at > power - steps.begin());
}

std::set<node_name> falling(const state& s) {
  std::set<node_name> result;
  if (s.ended != never || s.asked.dry || !takes_away(s.asked))
    return result;
  for (const auto& r : s.rows)
    if (r.kind == row_kind::node && !is_final(r.state) && !is_switched(s, r))
      result.insert(r.object);
  return result;
}

bool raises(const state& s) {
  auto verb = switch_verb(s);
  return verb == power_verb::on || verb == power_verb::cycle;
}

std::map<node_name, std::string> rising(const state& s) {
  std::map<node_name, std::string> result;
  if (s.ended != never || s.asked.dry || !raises(s))
    return result;
  for (const auto& r : s.rows)
    if (r.kind == row_kind::node && !is_final(r.state) && !is_switched(s, r))
      result.emplace(r.object, name_of(s));
  return result;
}

std::map<node_name, instant> raised(const state& s) {
  std::map<node_name, instant> result;
  if (s.asked.dry || !raises(s))
    return result;
  // A command that failed may have worked all the same; one that never left
  // has not, whatever was read.
  auto tried
    = [](const row& r) { return r.state == row_state::failed && r.commanded; };
  for (const auto& r : s.rows)
    if (r.kind == row_kind::node && (is_switched(s, r) || tried(r))) {
      auto at = r.switched == never ? r.moved : r.switched;
      auto may_land = tried(r) && r.interrupted && r.until != never;
      result.emplace(r.object, may_land ? std::max(at, r.until) : at);
    }
  return result;
}

} // namespace orderly::errand
