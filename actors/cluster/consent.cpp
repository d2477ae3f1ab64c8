// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the cluster actor has to say before a tag job of its own leaves.

#include "actors/cluster/errands.hpp"
#include "actors/policy/repair/permission.hpp"

#include <fmt/format.h>

namespace orderly {

std::string failed_before(const instance_record& x) {
  for (const auto& text : x.tags) {
    auto tag = tags::parse(text);
    const auto* end = tag ? std::get_if<tags::result>(&*tag) : nullptr;
    if (end != nullptr && end->outcome == tags::repair_result::failure)
      return fmt::format("{} has failed before and is not touched until tag {} "
                         "is removed",
                         x.name, text);
  }
  return {};
}

namespace {

/// Of a removal: are there still tags to remove?
std::string why_not_remove(const cluster_state& st, const std::string& name,
                           instant at) {
  const auto* tags = &st.picture->tags;
  for (const auto& group : st.picture->groups)
    if (group.name == name)
      tags = &group.tags;
  return expired_suspends(*tags, at).empty() ? "the tags are gone by now"
                                             : std::string{};
}

/// Of a pending tag that somebody asked for: may it still be set?
std::string why_not_ask(const cluster_state& st, const instance_name& name) {
  const auto* x = find_record(st.picture->instances, name);
  return x == nullptr ? "there is no instance " + name : failed_before(*x);
}

} // namespace

consent last_say(cluster_self self, const intent_id& intent) {
  const auto& st = self->state;
  if (!st.picture)
    return {false, "the cluster was not read yet"};
  for (const auto& [name, x] : st.removals)
    if (x.intent == intent) {
      auto why = why_not_remove(st, name, now(self, st.ctx));
      return {why.empty(), why};
    }
  auto i = st.asked_repairs.find(intent);
  if (i == st.asked_repairs.end())
    return {false, "nobody asks for it any more"};
  auto why = why_not_ask(st, i->second.instance);
  return {why.empty(), why};
}

} // namespace orderly
