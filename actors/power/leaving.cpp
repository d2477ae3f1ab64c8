// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/power/leaving.hpp"

#include "actors/power/report.hpp"
#include "actors/scheduler/leader.hpp"

namespace orderly::oob_parts {

namespace {

/// Acts of persons go first among those that wait for a node.
bool person_waits(const oob_state& st, const node_name& node) {
  auto i = st.waiting.find(node);
  if (i == st.waiting.end())
    return false;
  const auto& order = i->second.front().order;
  return !order.who.empty() && !is_reading(order.verb);
}

} // namespace

bool is_held_up(oob_actor::stateful_pointer<oob_state> self,
                const oob_state::operation& op, instant at) {
  auto late = self->state.ctx->rules()->cluster.picture_max_age;
  return op.intended_at != never && at - op.intended_at > late;
}

std::string why_not_now(oob_actor::stateful_pointer<oob_state> self,
                        const oob_state::operation& op) {
  const auto& st = self->state;
  auto at = now(self, st.ctx);
  if (op.unwanted)
    return "it was taken back";
  if (auto why = why_no_right(*st.ctx, st.right, at); !why.empty())
    return why;
  if (at >= op.useless_after)
    return "too long ago that it was asked for";
  if (is_held_up(self, op, at))
    return "it took too long to write it down";
  if (!by_person(op) && person_waits(st, op.order.node))
    return "it gives way to a person's order for this node, which waits";
  return {};
}

} // namespace orderly::oob_parts
