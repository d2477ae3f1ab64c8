// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/maintenance/copies.hpp"

#include "actors/shell/patience.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

namespace {

using event_self = event_actor::stateful_pointer<event_state>;
using listener = std::function<void(const std::string&)>;

bool moves(const opcode& op) {
  return op.kind == op_kind::instance_failover
         || op.kind == op_kind::instance_migrate;
}

const instance_record* record_of(const event_state& st,
                                 const instance_name& name) {
  return st.facts.picture ? find_record(st.facts.picture->instances, name)
                          : nullptr;
}

bool asks_mirrors(event_self self) {
  return self->state.ctx->rules()->autorepair.mirror_interval > millis{0};
}

/// What is stopped tells nothing of its mirror: what was heard while it ran is
/// known to its own actor, also after a restart, and where nobody asks any
/// more.
void ask_its_actor(event_self self, const opcode& op, listener then) {
  auto gives_up = op.kind == op_kind::replace_disks;
  self
    ->request(self->state.peers.copies, patience::neighbour,
              copy_question{op.instance})
    .then(
      [then, gives_up](const copy_answer& x) {
        then(gives_up ? x.home_fault : x.fault);
      },
      [then](const caf::error&) { then("nobody says how its copies are"); });
}

/// Nothing moves onto a copy that is faulty, or of which nobody says how it is.
/// It is asked also if it is marked down, for it may run all the same; if it is
/// really stopped its disks say nothing. It is asked before its actor is: that
/// hears as well that the copy has caught up. What its home lacks keeps nothing
/// there that runs; the job for what is stopped opens the disks first, and
/// fails where the two are not in step.
void look_at_mirror(event_self self, const opcode& op, listener then) {
  const auto* record = record_of(self->state, op.instance);
  auto up = record != nullptr && record->admin == admin_state::up;
  auto judge = [self, op, then, home = up ? record->primary : node_name{}](
                 const mirror_answer& x) {
    auto against = against_move(x, home);
    if (against.empty())
      ask_its_actor(self, op, then);
    else
      then(against);
  };
  self
    ->request(self->state.peers.mirrors, patience::look,
              mirror_question{op.instance, true})
    .then(judge, [judge](const caf::error&) { judge(no_mirror_answer()); });
}

/// Nobody can be asked how it was on a node that is out of service.
bool is_out(const event_state& st, const node_name& name) {
  const auto* x
    = st.facts.picture ? find_record(st.facts.picture->nodes, name) : nullptr;
  return x == nullptr || x->offline;
}

/// Nor is the better copy given up for a new one: where the home's own disk is
/// broken the other has what it lacks, also if it cannot be asked any more. Of
/// a mirror that is dead and was well nobody can say anything: it is replaced.
/// One that is in service and is not heard may be ahead of its home.
std::string against_replacing(const mirror_answer& x, const node_name& home,
                              bool mirror_is_out) {
  if (auto text = against_new_mirror(x, home); !text.empty())
    return text;
  if (x.heard || x.mute || mirror_is_out)
    return {};
  return "it is not known whether the copy on its home is whole: " + x.text;
}

void look_at_home(event_self self, const opcode& op, listener then) {
  auto& st = self->state;
  const auto* record = record_of(st, op.instance);
  auto home = record ? record->primary : node_name{};
  auto out = !record || record->secondaries.empty()
             || is_out(st, record->secondaries.front());
  auto judge = [self, op, then, home, out](const mirror_answer& x) {
    auto against = against_replacing(x, home, out);
    if (against.empty())
      ask_its_actor(self, op, then);
    else
      then(against);
  };
  self
    ->request(st.peers.mirrors, patience::look,
              mirror_question{op.instance, true})
    .then(judge, [judge](const caf::error&) { judge(no_mirror_answer()); });
}

} // namespace

bool relies_on_a_copy(const opcode& op) {
  return moves(op) || op.kind == op_kind::replace_disks;
}

void ask_about_copies(event_self self, const opcode& op, listener then) {
  if (moves(op) && op.target.empty() && asks_mirrors(self))
    look_at_mirror(self, op, std::move(then));
  else if (op.kind == op_kind::replace_disks && asks_mirrors(self))
    look_at_home(self, op, std::move(then));
  else if (relies_on_a_copy(op))
    // With a target its disks are seen from everywhere.
    ask_its_actor(self, op, std::move(then));
  else
    then({});
}

} // namespace orderly
