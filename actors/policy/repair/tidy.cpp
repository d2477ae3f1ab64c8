// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Tags that have had their day, and when they are removed.

#include "actors/policy/repair/moves.hpp"

namespace orderly::autorepair {

std::vector<std::string> leftovers(const situation& x) {
  // Nothing of an earlier life, or of another master, shall begin by tokens.
  if (x.may.what == permission::verdict::suspended)
    return x.tags.tokens;
  auto result = x.tags.expired;
  result.insert(result.end(), x.tags.voids.begin(), x.tags.voids.end());
  result.insert(result.end(), x.tags.tokens.begin(), x.tags.tokens.end());
  for (const auto& text : x.tags.superseded)
    result.push_back(text);
  for (const auto& old : x.tags.successes)
    if (old.tag.at < x.tags.successes.back().tag.at)
      result.push_back(old.text);
  auto strong = x.may.what == permission::verdict::enabled && x.wants.type
                && *x.wants.type <= x.may.up_to;
  if (!x.wants.broken || strong)
    for (const auto& old : x.tags.enoperms)
      result.push_back(old.text);
  return result;
}

/// They would come to life again when a person removes the failure tag, and
/// nobody would know what was done before.
std::vector<std::string> leftovers_of_failed(const situation& x) {
  auto result = x.tags.tokens;
  result.insert(result.end(), x.tags.armed.begin(), x.tags.armed.end());
  if (x.may.what == permission::verdict::suspended)
    return result;
  result.insert(result.end(), x.tags.expired.begin(), x.tags.expired.end());
  result.insert(result.end(), x.tags.voids.begin(), x.tags.voids.end());
  for (const auto& text : x.tags.superseded) {
    auto tag = tags::parse(text);
    for (const auto& end : x.tags.failures)
      if (tag && std::get<tags::pending>(*tag).id == end.tag.id) {
        result.push_back(text);
        break;
      }
  }
  return result;
}

verdict tidy(verdict v, const situation& x) {
  auto idle = v.actions.empty() && v.next.stage == stage::idle
              && v.next.phase != phase::healthy;
  auto old
    = v.next.phase == phase::failed ? leftovers_of_failed(x) : leftovers(x);
  if (!idle || old.empty() || x.fresh.empty()
      || !held_up(v.next, x, "").empty())
    return v;
  auto why = v.next.why + "; removes tags that are over";
  return send_tags(std::move(v.next), x, x.fresh, {}, std::move(old),
                   std::move(why));
}

} // namespace orderly::autorepair
