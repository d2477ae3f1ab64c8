// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/foresight/lasting.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::foresight {

std::string trouble_of(const node_standing& x) {
  if (!x.held.empty() || x.phase == ha_phase::fenced)
    return {};
  // In service by the record, and nobody knows whether it lives.
  if (!x.closed.empty() && x.is_home && x.unheard_since != never)
    return fmt::format("node {} is left alone, although something that should "
                       "run is at home there: {}",
                       x.node, x.closed);
  if (!x.troubled || !x.counted)
    return {};
  if (x.phase == ha_phase::ineligible)
    return fmt::format("node {} fails its health check, and nothing is done "
                       "about it: {}",
                       x.node, x.reason);
  // What it waits for does not say there why it waits.
  auto tells_less = x.waits_for.empty() || x.phase == ha_phase::degraded;
  return fmt::format("node {} is {}: {}", x.node, to_string(x.phase),
                     tells_less ? x.reason : x.waits_for);
}

std::string trouble_of(const instance_standing& x) {
  // Where its only pending tags permit nothing, the policy may: they are in the
  // way.
  auto blocked = x.misnamed && !x.allowed.suspended && x.needed
                 && x.allowed.most && *x.needed <= *x.allowed.most;
  auto helped = x.needed && *x.needed >= repair_type::failover
                && (x.permitted || blocked);
  auto waits = x.phase != repair_phase::healthy;
  if (!x.broken || !helped || !waits)
    return {};
  return fmt::format("instance {}: {}", x.instance,
                     x.waits_for.empty() ? x.why : x.waits_for);
}

instant troubled_since(const node_standing& x) {
  return x.unheard_since;
}

instant home_lost_since(const node_standing& home) {
  return home.phase == ha_phase::fenced ? home.since : home.unheard_since;
}

void lasting_troubles::note(const std::map<object_id, row>& all, instant now) {
  std::erase_if(open_, [&](const auto& x) { return all.count(x.first) == 0; });
  if (first_ == never)
    first_ = now;
  for (const auto& [object, found] : all) {
    auto [i, first] = open_.try_emplace(object);
    auto lasted = found.since != never && found.since < first_
                  && now - first_ <= found_within
                  && now - found.since < told_before;
    if (first)
      i->second.since = lasted ? found.since : now;
    i->second.what = found.what;
  }
}

std::vector<lasting_troubles::row> lasting_troubles::due(instant now) {
  std::vector<row> result;
  if (told_at_ != never && now - told_at_ < pause)
    return result;
  for (auto& [object, x] : open_) {
    if (x.told || now - x.since < patience)
      continue;
    x.told = true;
    result.push_back({x.what, x.since});
  }
  std::stable_sort(
    result.begin(), result.end(),
    [](const row& a, const row& b) { return a.since < b.since; });
  if (!result.empty())
    told_at_ = now;
  return result;
}

std::vector<lasting_troubles::row>
lasting_troubles::left(std::string_view kind) const {
  std::vector<row> result;
  for (const auto& [object, x] : open_)
    if (object.starts_with(kind) && !x.told)
      result.push_back({x.what, x.since});
  return result;
}

std::string text_of(const std::vector<lasting_troubles::row>& due,
                    instant now) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(due.size(), most); ++i)
    text += fmt::format("{}{} ({} min)", i == 0 ? "" : "; ", due[i].what,
                        (now - due[i].since) / minutes{1});
  if (due.size() > most)
    text += fmt::format("; and {} more", due.size() - most);
  return text;
}

} // namespace orderly::foresight
