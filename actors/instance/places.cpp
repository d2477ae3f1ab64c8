// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/instance/places.hpp"

#include "actors/balance/balancer.hpp"
#include "actors/shell/patience.hpp"
#include "actors/shell/renewal.hpp"

#include <algorithm>
#include <utility>

namespace orderly::instance_parts {

namespace {

using taker = std::function<void(std::vector<opcode>)>;

/// The opcode that leaves the place open; null if there is none, or if nobody
/// else is to be asked.
const opcode* unplaced(const instance_state& st,
                       const std::vector<opcode>& ops) {
  if (st.ctx->rules()->autorepair.targets != target_picker::planned
      || !st.peers.balancer)
    return nullptr;
  auto i = std::find_if(ops.begin(), ops.end(), leaves_choice);
  return i == ops.end() ? nullptr : &*i;
}

/// The place that was found, named in the job: `open` is one of its opcodes.
std::vector<opcode> placed(std::vector<opcode> ops, const opcode& open,
                           const instance_place& to) {
  auto mirror = open.kind == op_kind::replace_disks;
  for (auto& op : ops)
    if (op == open) {
      op.target = mirror ? to.secondary : to.primary;
      if (!op.target.empty())
        op.allocator.clear();
      break;
    }
  return ops;
}

/// The permit did not know of the place.
void widen(self_ptr self, std::vector<opcode> open, std::vector<opcode> found,
           const node_name& target, const taker& then) {
  auto wanted = self->state.permitted;
  wanted.joins.push_back(target);
  wanted.resumed = false;
  wanted.widened = true;
  self
    ->request(self->state.peers.scheduler,
              self->state.ctx->rules()->balance.target_timeout,
              std::move(wanted))
    .then(
      [self, open, found = std::move(found), target,
       then](const permit& answer) {
        if (answer.granted)
          self->state.permitted.joins.push_back(target);
        then(answer.granted ? found : open);
      },
      [open, then](const caf::error&) { then(open); });
}

} // namespace

bool leaves_choice(const opcode& op) {
  auto moves = op.kind == op_kind::instance_failover
               || op.kind == op_kind::instance_migrate
               || op.kind == op_kind::replace_disks;
  return moves && op.target.empty() && !op.allocator.empty();
}

void find_place(self_ptr self, const intent_id& intent, std::vector<opcode> ops,
                taker then) {
  auto& st = self->state;
  const auto* open = unplaced(st, ops);
  if (open == nullptr)
    return then(std::move(ops));
  st.placing = intent;
  place_question question;
  question.instance = st.instance;
  question.leaves_secondary = open->kind == op_kind::replace_disks;
  question.leaves_primary = !question.leaves_secondary;
  self
    ->request(st.peers.balancer, st.ctx->rules()->balance.target_timeout,
              std::move(question))
    .then(
      [self, ops, then, gap = *open](const target_answer& answer) {
        auto found = placed(ops, gap, answer.to);
        if (answer.found && found != ops)
          widen(self, ops, std::move(found),
                gap.kind == op_kind::replace_disks ? answer.to.secondary
                                                   : answer.to.primary,
                then);
        else
          then(ops);
      },
      [ops, then](const caf::error&) { then(ops); });
}

bool needs_places(const autorepair::state& s) {
  return s.stage == autorepair::stage::repairing || s.unsure;
}

namespace {

void reserve(self_ptr self) {
  auto& st = self->state;
  st.permitted_at = now(self, st.ctx);
  auto wanted = st.permitted;
  wanted.resumed = true;
  self->request(st.peers.scheduler, patience::neighbour, std::move(wanted))
    .then([](const permit&) {}, [](const caf::error&) {});
}

} // namespace

void keep_places(self_ptr self) {
  auto& st = self->state;
  auto pause = renewal_pause(*st.ctx->rules());
  if (needs_places(st.machine) && !st.permitted.owner.empty()
      && now(self, st.ctx) - st.permitted_at >= pause)
    reserve(self);
}

void reserve_again(self_ptr self, const std::vector<node_name>& joins) {
  auto& st = self->state;
  if (st.machine.stage != autorepair::stage::repairing)
    return;
  // One of them may be about to go by now.
  opcode filled;
  filled.nodes = joins;
  st.headed = st.machine.intent;
  st.headed_at = never;
  st.heading = {std::move(filled)};
  look(self);
  if (st.permitted.joins == joins)
    return;
  st.permitted.joins = joins;
  reserve(self);
}

} // namespace orderly::instance_parts
