// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/group/group.hpp"

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/repair/permission.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

using self_ptr = group_actor::stateful_pointer<group_state>;

/// The record has changed when the reading after next shows it.
constexpr millis to_be_seen = seconds{2};

void begin(self_ptr self, std::vector<std::string> expired) {
  auto& st = self->state;
  st.intent = fmt::format("expired/{}/{}", st.rolls.uuid(), st.group);
  opcode op;
  op.kind = op_kind::tags_del;
  op.tags_on = st.group.empty() ? tag_kind::cluster : tag_kind::group;
  op.tag_object = st.group;
  op.tags = std::move(expired);
  job_order order;
  order.intent = st.intent;
  order.owner = object_of_group(st.group);
  order.ops = {std::move(op)};
  order.why = "removes suspensions that are over";
  order.deadline = st.ctx->rules()->cluster.job_deadline;
  order.send_before
    = st.facts.read_at + st.ctx->rules()->cluster.picture_max_age;
  self->send(st.peers.jobs, std::move(order),
             caf::actor_cast<job_client>(self));
}

void tell(self_ptr self) {
  const auto& st = self->state;
  self->send(st.peers.told, group_standing{st.group, !st.intent.empty()});
}

void look(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (!st.intent.empty() || at < st.not_before)
    return;
  auto expired = due_removals(st.facts.tags, *st.ctx, at);
  if (expired.empty())
    st.failures = 0;
  else
    begin(self, std::move(expired));
}

void hear(self_ptr self, const job_event& e) {
  auto& st = self->state;
  if (e.intent != st.intent || e.phase == job_phase::submitted)
    return;
  st.intent.clear();
  auto good = e.phase == job_phase::ended && e.status == job_status::success;
  const auto& rules = st.ctx->rules()->autorepair;
  st.failures = good ? 0 : st.failures + 1;
  auto pause = good ? to_be_seen
                    : backoff(rules.retry_base, rules.retry_max, st.failures);
  st.not_before = now(self, st.ctx) + pause;
  tell(self);
  // The next reading shows whether they are gone.
  self->send(st.peers.cluster, attention{});
}

/// Are there still tags to remove?
consent last_say(const group_state& st, const intent_id& intent, instant at) {
  if (intent != st.intent)
    return {false, "nobody asks for it any more"};
  auto gone = due_removals(st.facts.tags, *st.ctx, at).empty();
  return {!gone, gone ? "there is nothing to remove by now, or auto-repair "
                        "only observes"
                      : ""};
}

} // namespace

std::vector<std::string> due_removals(const std::vector<std::string>& all,
                                      const context& ctx, instant at) {
  auto rules = ctx.rules();
  const auto& x = rules->autorepair;
  if (!x.enabled || x.mode != repair_mode::act)
    return {};
  return expired_suspends(all, at - ctx.ahead(at));
}

object_id object_of_group(const group_name& name) {
  return name.empty() ? object_id{whole_cluster} : group_object(name);
}

group_actor::behavior_type group(self_ptr self, context_ptr ctx,
                                 group_peers peers, group_name name) {
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  st.group = std::move(name);
  die_with_reason(self, object_of_group(st.group));
  // An id must never come twice, not even after a restart with the same seed.
  auto born = static_cast<std::uint64_t>(to_ms(now(self, st.ctx)));
  st.rolls = dice{st.ctx->seed_for(object_of_group(st.group)) ^ (born << 20)};
  return {
    [self](group_facts& facts) {
      self->state.facts = std::move(facts);
      look(self);
      tell(self);
    },
    [self](const job_event& e) { hear(self, e); },
    [self](const ask_consent& what) {
      return last_say(self->state, what.intent, now(self, self->state.ctx));
    },
  };
}

} // namespace orderly
