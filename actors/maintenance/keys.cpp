// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/maintenance/keys.hpp"

#include "actors/policy/maintenance/agent_keys.hpp"
#include "messages/codes.hpp"

#include <fmt/format.h>

namespace orderly::intake_parts {

namespace {

constexpr const char* key_field = "key";

std::string state_key_of(const std::string& node_uuid) {
  return "agent:" + node_uuid;
}

journal_entry entry_of(self_ptr self, const node_name& node,
                       const std::string& uuid, const std::string& key,
                       std::string why) {
  auto entry = entry_about(self, self->state.ctx, node_object(node),
                           entry_kind::note, codes::agent_met, std::move(why));
  fields kept;
  if (!key.empty())
    kept.put(key_field, key);
  entry.state = std::move(kept);
  entry.state_key = state_key_of(uuid);
  return entry;
}

} // namespace

std::vector<std::string> keys_for(const intake_state& st,
                                  const node_record& node) {
  auto met = st.met.find(node.uuid);
  return maintenance::known_keys(
    node.tags, met == st.met.end() ? std::string{} : met->second,
    st.ctx->rules()->agents.trust == agent_trust::tagged);
}

void recall_keys(intake_state& st, const recalled& before) {
  for (const auto& [key, state] : before.states) {
    std::string uuid;
    if (split_object(key, "agent", uuid))
      st.met[uuid] = state.text(key_field);
  }
}

void meet(self_ptr self, const diagnosis& x) {
  auto& st = self->state;
  const auto* node
    = st.picture ? find_record(st.picture->nodes, x.node) : nullptr;
  auto believed = x.how == hearing::heard || x.how == hearing::failed;
  // Another machine may have got the name since it was asked.
  auto asked = st.asked_as.find(x.node);
  if (x.key.empty() || !believed || node == nullptr
      || asked == st.asked_as.end() || asked->second != node->uuid
      || !st.met.emplace(node->uuid, x.key).second)
    return;
  record(self, st.peers.journal,
         entry_of(self, x.node, node->uuid, x.key,
                  fmt::format("its agent was met, key {}", x.key)));
}

void forget_keys(self_ptr self) {
  auto& st = self->state;
  std::set<std::string> there;
  for (const auto& node : st.picture->nodes)
    there.insert(node.uuid);
  for (auto i = st.met.begin(); i != st.met.end();) {
    if (there.count(i->first) != 0) {
      ++i;
      continue;
    }
    record(self, st.peers.journal,
           entry_of(self, i->first, i->first, {},
                    "the node is no more, and neither is its agent's key"));
    i = st.met.erase(i);
  }
}

} // namespace orderly::intake_parts
