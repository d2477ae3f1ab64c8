// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/instance/asked.hpp"

#include "actors/policy/base/intents.hpp"
#include "messages/codes.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

using self_ptr = instance_parts::self_ptr;

/// Why nothing is done to the instance: its last repair failed; or empty.
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

job_order order_of(self_ptr self, const tags::pending& wanted,
                   const std::string& who) {
  const auto& st = self->state;
  opcode op;
  op.kind = op_kind::tags_set;
  op.tag_object = st.instance;
  op.tags = {tags::format(wanted)};
  job_order order;
  order.intent = asked_intent(wanted.id);
  order.incident = wanted.id;
  order.owner = instance_object(st.instance);
  order.ops = {std::move(op)};
  order.why
    = fmt::format("{} asks for a {}", who, tags::to_string(wanted.type));
  order.deadline = st.ctx->rules()->cluster.job_deadline;
  order.send_before
    = now(self, st.ctx) + st.ctx->rules()->cluster.picture_max_age;
  return order;
}

} // namespace

caf::result<repair_answer>
instance_parts::ask_repair(self_ptr self, const repair_request& what) {
  auto& st = self->state;
  if (!st.facts)
    return repair_answer{false, "", "the cluster was not read yet"};
  if (auto text = failed_before(st.facts->record); !text.empty())
    return repair_answer{false, "", std::move(text)};
  tags::pending wanted{what.type, st.rolls.uuid(), now(self, st.ctx), {}};
  auto order = order_of(self, wanted, what.who);
  const auto& rules = st.ctx->rules()->autorepair;
  auto acts = rules.enabled && rules.mode == repair_mode::act;
  asked_repair asked;
  asked.repair = wanted.id;
  asked.text = acts ? "it is repaired as soon as it may be"
                    : "auto-repair is not on here: nothing follows until it is";
  asked.promise = self->make_response_promise<repair_answer>();
  auto promise = asked.promise;
  st.asked.emplace(order.intent, std::move(asked));
  auto entry = entry_about(self, st.ctx, instance_object(st.instance),
                           entry_kind::decision, codes::asked, order.why);
  entry.incident = wanted.id;
  record(self, st.peers.journal, {std::move(entry)},
         [self, order = std::move(order)] {
           self->send(self->state.peers.jobs, order,
                      caf::actor_cast<job_client>(self));
         });
  return promise;
}

void instance_parts::hear_of_asked(self_ptr self, const job_event& e) {
  auto& all = self->state.asked;
  auto i = all.find(e.intent);
  if (i == all.end())
    return; // its asker has been answered
  auto& x = i->second;
  repair_answer answer{true, x.repair, {}};
  if (e.phase == job_phase::submitted) {
    answer.text
      = fmt::format("job {} writes the pending tag; {}", e.id, x.text);
  } else if (e.phase == job_phase::ended && e.status == job_status::success) {
    answer.text = "the pending tag is written; " + x.text;
  } else if (e.absent || e.phase == job_phase::overdue
             || e.status == job_status::lost) {
    answer.accepted = false;
    answer.text = fmt::format("the pending tag is perhaps not written, or will "
                              "be late: {}; look at the instance's tags before "
                              "you ask again",
                              e.text.empty() ? to_string(e.status) : e.text);
  } else {
    answer.accepted = false;
    answer.text = fmt::format("the pending tag could not be written: {}",
                              e.text.empty() ? to_string(e.status) : e.text);
  }
  x.promise.deliver(std::move(answer));
  all.erase(i);
}

consent instance_parts::say_of_asked(const instance_state& st,
                                     const intent_id& intent) {
  if (st.asked.count(intent) == 0 || !st.facts)
    return {false, "nobody asks for it any more"};
  auto why = failed_before(st.facts->record);
  return {why.empty(), why};
}

} // namespace orderly
