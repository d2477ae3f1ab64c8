// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/instance/witness.hpp"

#include "actors/instance/asked.hpp"
#include "actors/node/collector.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/settings/group_settings.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/power/oob.hpp"
#include "actors/shell/patience.hpp"

#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace orderly::instance_parts {

namespace {

/// So long after its old homes were asked a job may leave.
constexpr millis look_good = seconds{15};

constexpr const char* asked_too_long_ago
  = "it took too long to send it; the nodes that it relies upon are asked anew";

bool does(const std::vector<opcode>& ops, op_kind kind) {
  return std::any_of(ops.begin(), ops.end(),
                     [&](const opcode& op) { return op.kind == kind; });
}

/// Whom it would harm if they lived.
std::vector<node_name> relied_upon(const instance_record& x,
                                   const std::vector<opcode>& ops) {
  if (does(ops, op_kind::recreate_disks)) {
    auto all = x.secondaries;
    all.push_back(x.primary);
    return all;
  }
  if (does(ops, op_kind::instance_failover))
    return {x.primary};
  return {};
}

/// Is its proof a person's word? Then its controller may be silent, and only
/// what says on speaks against it.
bool is_by_word(const instance_facts& facts, const node_name& name) {
  auto i = facts.standings.find(name);
  return i != facts.standings.end() && i->second.proved_down
         && i->second.proved_down->level == proof_level::operator_word;
}

/// The programs that can say whether it is still off, if it is proved.
std::vector<std::string> readable(const settings& rules,
                                  const instance_facts& facts,
                                  const node_name& name) {
  auto i = facts.standings.find(name);
  if (i == facts.standings.end() || !i->second.proved_down)
    return {};
  for (const auto& node : facts.nodes)
    if (node.name == name)
      return power_levels(node, rules);
  return {};
}

/// What is left to ask, and the first answer that speaks against it.
struct last_say {
  std::size_t open = 0;
  std::string why;
  std::function<void(const std::string&)> then;

  void heard(std::string against) {
    if (why.empty())
      why = std::move(against);
    if (--open == 0)
      then(why);
  }
};

/// What a person switched off is no loss, unless it was fenced, or a person
/// says that it is lost.
std::string spared(const instance_facts& facts, const power_report& report) {
  const auto& wish = report.wish;
  auto i = facts.standings.find(report.node);
  auto fenced = i != facts.standings.end()
                && i->second.phase == ha_phase::fenced
                && i->second.wanted_off.empty(); // or it has lived since
  auto by_order = wish.wanted == power_state::off || !wish.switched_off.empty();
  return by_order && !fenced
           ? fmt::format("{} is off by order, which is no loss", report.node)
           : std::string{};
}

std::string against(const power_report& report, bool by_word) {
  if (report.state == power_state::on)
    return fmt::format("{} is on: {}", report.node, report.evidence);
  if (report.state != power_state::off && !by_word)
    return fmt::format("whether {} is still off is not known: {}", report.node,
                       report.evidence);
  return {};
}

std::string against(const sighting& seen) {
  if (seen.lives || seen.verdict == health::healthy)
    return fmt::format("{} answers: {}", seen.node, seen.evidence);
  if (seen.verdict != health::unhealthy)
    return fmt::format("{} could not be asked: {}", seen.node, seen.evidence);
  return {};
}

} // namespace

void read_copies(self_ptr self, const std::vector<opcode>& ops,
                 std::function<void(const std::string&)> then) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  std::vector<power_order> orders;
  if (does(ops, op_kind::recreate_disks))
    for (const auto& name : relied_upon(st.facts->record, ops)) {
      power_order order;
      order.node = name;
      order.programs = readable(*rules, *st.facts, name);
      if (!order.programs.empty() && st.peers.oob)
        orders.push_back(std::move(order));
    }
  if (orders.empty())
    return then({});
  auto r = std::make_shared<last_say>();
  r->open = orders.size();
  r->then = std::move(then);
  for (auto& x : orders) {
    auto patience = power_patience(*rules, x);
    auto by_word = is_by_word(*st.facts, x.node);
    self->request(st.peers.oob, patience, std::move(x))
      .then(
        [self, r, by_word](const power_report& report) {
          auto why = against(report, by_word);
          r->heard(why.empty() && self->state.facts
                     ? spared(*self->state.facts, report)
                     : why);
        },
        [r](const caf::error&) {
          r->heard("the power switch does not answer");
        });
  }
}

bool moves_what_is_down(const instance_facts& facts,
                        const std::vector<opcode>& ops) {
  return facts.record.disks == disk_template::drbd
         && std::any_of(ops.begin(), ops.end(), [](const opcode& op) {
              return op.kind == op_kind::instance_migrate && op.flag;
            });
}

/// Also a broken disk of its home's own speaks against it: the job opens the
/// disks first, and fails where they are not in step.
void ask_mirror(self_ptr self, std::function<void(const std::string&)> then) {
  auto& st = self->state;
  if (!st.peers.copies
      || st.ctx->rules()->autorepair.mirror_interval == millis{0})
    return then({});
  auto judge = [then](const mirror_answer& x) { then(against_move(x)); };
  self
    ->request(st.peers.copies, patience::look,
              mirror_question{st.instance, true})
    .then(judge, [judge](const caf::error&) { judge(no_mirror_answer()); });
}

void ask_homes(self_ptr self, const std::vector<opcode>& ops,
               std::function<void(const std::string&)> then) {
  auto& st = self->state;
  auto r = std::make_shared<last_say>();
  std::vector<probe_request> questions;
  st.homes_asked = now(self, st.ctx);
  for (const auto& name : relied_upon(st.facts->record, ops)) {
    auto node = std::find_if(st.facts->nodes.begin(), st.facts->nodes.end(),
                             [&](const auto& x) { return x.name == name; });
    if (!st.peers.collector)
      continue;
    auto known = node != st.facts->nodes.end();
    auto rules = st.ctx->rules();
    questions.push_back({name, known ? node->address : "",
                         known ? check_timeout_of(*rules, node->group)
                               : longest_check_timeout(*rules),
                         true});
  }
  if (questions.empty())
    return then({});
  r->open = questions.size();
  r->then = std::move(then);
  for (auto& x : questions)
    self->request(st.peers.collector, patience::look, std::move(x))
      .then([r](const sighting& seen) { r->heard(against(seen)); },
            [r](const caf::error&) {
              r->heard("the health checks do not answer");
            });
}

caf::result<consent> bear_witness(self_ptr self, const intent_id& intent) {
  auto& st = self->state;
  if (is_asked(intent))
    return say_of_asked(st, intent);
  auto at = now(self, st.ctx);
  if (auto why = doubts(st, intent, at); !why.empty())
    return consent{false, std::move(why)};
  auto risky = st.headed == intent && st.facts
               && !relied_upon(st.facts->record, st.heading).empty();
  if (!risky)
    return consent{true, {}};
  auto late = look_good + longest_check_timeout(*st.ctx->rules());
  if (at - st.homes_asked > late)
    return consent{false, asked_too_long_ago};
  auto wanted = st.permitted;
  wanted.resumed = false;
  wanted.widened = false;
  auto promise = self->make_response_promise<consent>();
  self->request(st.peers.scheduler, patience::scheduler_soon, std::move(wanted))
    .then(
      [self, intent, promise](const permit& answer) mutable {
        auto& state = self->state;
        auto why = answer.granted ? doubts(state, intent, now(self, state.ctx))
                                  : answer.why;
        promise.deliver(consent{why.empty(), why});
      },
      [promise](const caf::error&) mutable {
        promise.deliver(consent{false, "the scheduler does not answer"});
      });
  return promise;
}

} // namespace orderly::instance_parts
