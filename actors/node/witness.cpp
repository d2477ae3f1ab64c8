// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last look before a reset or fence leaves, after its decision and its
// intent are on disk: does the machine still want it, do the node's daemons
// still not answer, and do the guards still let it go?

#include "actors/node/trust.hpp"
#include "actors/shell/patience.hpp"

#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <utility>

namespace orderly::node_parts {

namespace {

using answer_promise = caf::typed_response_promise<power_last_word>;

/// A person had it switched on since its trouble began, and it may boot.
bool is_booting(const node_state& st, instant now) {
  const auto& facts = *st.facts;
  auto patience = rules_for(st)->host_ha.recovery_wait;
  // The helper of an order that a restart cut off may run on so long.
  constexpr millis ahead_most = minutes{5};
  auto lately = facts.raised >= st.machine.suspect_since
                && facts.raised <= now + ahead_most
                && now - facts.raised < patience;
  return lately || !facts.rising.empty();
}

/// Why the machine does not want it any more; empty: it does.
std::string unwanted(self_ptr self, const intent_id& intent) {
  const auto& st = self->state;
  const auto& m = st.machine;
  // A person's word ends a fence that is under way, and nobody knows better
  // than the power-off itself.
  auto sworn = m.phase == ha_phase::fenced && m.maintenance;
  auto out = (m.phase == ha_phase::fencing && m.fence_dispatched) || sworn
             || (m.phase == ha_phase::recovering && m.recovery_dispatched);
  if (!out || intent.empty() || st.power_order != intent)
    return "it is not wanted any more";
  if (!st.facts)
    return "the node's record was not read yet";
  if (st.facts->is_self || st.facts->is_master)
    return "it is the master node by now, or our own";
  if (sworn && !m.proved_down)
    return "the word that it is off holds no more";
  if (!st.facts->held.empty())
    return "automation leaves it alone: " + st.facts->held;
  if (!sworn && st.facts->record.offline)
    return "it is marked offline by now";
  if (!sworn && is_booting(st, now(self, st.ctx)))
    return "a person has just had it switched on";
  auto helpers = programs_of(st);
  auto is_ours = [&helpers](const std::string& program) {
    return std::find(helpers.begin(), helpers.end(), program) != helpers.end();
  };
  if (!std::all_of(st.order_programs.begin(), st.order_programs.end(), is_ours))
    return "its power control is another one by now";
  // A reset would switch on what a person has ordered off, or takes away.
  if (m.phase == ha_phase::recovering && st.facts->falling)
    return "a person's order is about to take it away";
  if (m.phase == ha_phase::recovering && !m.eligible)
    return m.ineligible_why;
  if (m.phase == ha_phase::recovering
      && m.recoveries > rules_for(st)->host_ha.recovery_attempts_max)
    return "the settings permit no more resets by now";
  return {};
}

power_last_word no(std::string why, bool answers = false) {
  return {false, answers, std::move(why)};
}

/// The order may have waited long for its turn, and a single look may meet a
/// moment of silence.
bool has_lived_since(const node_state& st) {
  return st.trust.heard_at > st.ordered_at
         && st.machine.phase != ha_phase::fenced;
}

/// The permit is from before: paused since, or no right to act any more? The
/// answer may take the disk's time, in which the node may have been heard:
/// `looked_at` is when it was silent.
void ask_guards(self_ptr self, const intent_id& intent, instant looked_at,
                answer_promise promise) {
  auto& st = self->state;
  auto act = st.machine.phase == ha_phase::recovering ? act_kind::reset
                                                      : act_kind::fence;
  self->request(st.peers.scheduler, patience::scheduler, permit_for(st, act))
    .then(
      [self, intent, looked_at, promise](const permit& answer) mutable {
        auto& state = self->state;
        state.permit_outdated = answer.outdated;
        if (state.trust.heard_at > looked_at) {
          promise.deliver(
            no("its daemons have answered since they were asked", true));
          return;
        }
        auto why = unwanted(self, intent);
        if (why.empty() && !answer.granted)
          why = answer.why;
        promise.deliver(power_last_word{why.empty(), false, std::move(why)});
      },
      [promise](const caf::error&) mutable {
        promise.deliver(no("the scheduler does not answer"));
      });
}

void hold_unseen(self_ptr self, const std::string& evidence,
                 answer_promise promise) {
  self->state.act_unseen = true;
  promise.deliver(no("its activity could not be seen: " + evidence));
}

/// What the activity checks found is too old, as the act was held, or waited
/// for its turn: one more says whether it still holds.
void ask_activity(self_ptr self, const intent_id& intent, instant looked_at,
                  answer_promise promise) {
  auto& st = self->state;
  st.peers.provider.activity(
    self, activity_question(st, st.machine.suspect_since),
    [self, intent, looked_at, promise](const activity_answer& found) mutable {
      if (found.verdict == activity::inactive)
        ask_guards(self, intent, looked_at, std::move(promise));
      else if (found.verdict == activity::active)
        promise.deliver(no("it is active: " + found.evidence, true));
      else
        hold_unseen(self, found.evidence, std::move(promise));
    },
    [self, promise]() mutable {
      hold_unseen(self, "no answer in time", std::move(promise));
    });
}

/// Somebody has switched it on since its trouble began.
bool is_back(self_ptr self, power_state read) {
  const auto& st = self->state;
  return read == power_state::on && st.machine.phase != ha_phase::fenced
         && host_ha::would_boot(st.machine, rules_of(*rules_for(st)),
                                now(self, st.ctx));
}

} // namespace

caf::result<power_last_word> bear_witness(self_ptr self,
                                          const power_last_look& question) {
  auto intent = question.intent;
  if (auto why = unwanted(self, intent); !why.empty())
    return no(std::move(why));
  if (has_lived_since(self->state))
    return no("its daemons have answered since it was ordered", true);
  if (is_back(self, question.read))
    return no("it was off, and is on by now");
  auto promise = self->make_response_promise<power_last_word>();
  look(self, [self, intent, promise](const sighting& seen) mutable {
    if (auto why = unwanted(self, intent); !why.empty()) {
      promise.deliver(no(std::move(why)));
      return;
    }
    feed(self, host_ha::looked{seen.verdict});
    if (trust::answers(seen))
      promise.deliver(no("its daemons answer: " + seen.evidence, true));
    else if (seen.verdict != health::unhealthy)
      promise.deliver(no("its daemons could not be asked: " + seen.evidence));
    else if (const auto& st = self->state; host_ha::is_ground_old(
               st.machine, rules_of(*rules_for(st)), now(self, st.ctx)))
      ask_activity(self, intent, seen.at, std::move(promise));
    else
      ask_guards(self, intent, seen.at, std::move(promise));
  });
  return promise;
}

} // namespace orderly::node_parts
