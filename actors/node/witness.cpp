// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last look before a reset or fence leaves, after its decision and its
// intent are on disk: does the machine still want it, do the node's daemons
// still not answer, and do the guards still let it go? And the end of proofs
// that nobody could look at again, of which a person hears while instances wait
// for one.

#include "actors/node/power.hpp"
#include "actors/shell/patience.hpp"

#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orderly::node_parts {

namespace {

using answer_promise = caf::typed_response_promise<power_last_word>;

/// A person had it switched on since its trouble began, and it may boot.
bool is_booting(const node_state& st, instant now) {
  const auto& facts = *st.facts;
  auto patience = st.ctx->rules()->host_ha.recovery_wait;
  auto lately = facts.raised >= st.machine.suspect_since && facts.raised <= now
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
  if (!st.facts->held.empty())
    return "automation leaves it alone: " + st.facts->held;
  if (!sworn && st.facts->record.offline)
    return "it is marked offline by now";
  if (!sworn && is_booting(st, now(self, st.ctx)))
    return "a person has just had it switched on";
  return {};
}

/// Who would be started elsewhere, were the node proved off; a clause, or
/// empty. Once it is marked that may be nobody any more.
std::string who_waits(const node_state& st) {
  if (!st.facts)
    return {};
  if (!st.facts->record.offline)
    return "its instances wait";
  constexpr std::size_t most = 5;
  const auto& all = st.facts->stranded;
  if (all.empty())
    return {};
  auto last = all.begin() + static_cast<long>(std::min(all.size(), most));
  auto text = fmt::format("{}", fmt::join(all.begin(), last, ", "));
  if (all.size() > most)
    text += fmt::format(" and {} more", all.size() - most);
  return text + (all.size() == 1 ? " waits" : " wait") + " there";
}

power_last_word no(std::string why, bool answers = false) {
  return {false, answers, std::move(why)};
}

/// The permit is from before: paused since, or no right to act any more?
void ask_guards(self_ptr self, const intent_id& intent,
                answer_promise promise) {
  auto& st = self->state;
  permit_request wanted;
  wanted.owner = node_object(st.node);
  wanted.act = st.machine.phase == ha_phase::recovering ? act_kind::reset
                                                        : act_kind::fence;
  wanted.incident = st.machine.incident;
  wanted.leaves = {st.node};
  wanted.since = st.machine.suspect_since;
  self->request(st.peers.scheduler, seconds{30}, std::move(wanted))
    .then(
      [self, intent, promise](const permit& answer) mutable {
        auto why = unwanted(self, intent);
        if (why.empty() && !answer.granted)
          why = answer.why;
        promise.deliver(power_last_word{why.empty(), false, std::move(why)});
      },
      [promise](const caf::error&) mutable {
        promise.deliver(no("the scheduler does not answer"));
      });
}

} // namespace

void look(self_ptr self, std::function<void(const sighting&)> then,
          bool sworn) {
  auto& st = self->state;
  probe_request question{st.node, st.facts ? st.facts->record.address : "",
                         st.ctx->rules()->host_ha.check_timeout, true};
  question.sworn = sworn;
  self->request(st.peers.collector, patience::look, std::move(question))
    .then(
      [self, then](const sighting& seen) {
        heard(self, seen);
        then(seen);
      },
      [self, then](const caf::error&) {
        sighting none;
        none.node = self->state.node;
        none.verdict = health::not_looked;
        none.evidence = "the check did not answer";
        none.at = now(self, self->state.ctx);
        then(none);
      });
}

caf::result<power_last_word> bear_witness(self_ptr self,
                                          const power_last_look& question) {
  auto intent = question.intent;
  if (auto why = unwanted(self, intent); !why.empty())
    return no(std::move(why));
  auto promise = self->make_response_promise<power_last_word>();
  look(self, [self, intent, promise](const sighting& seen) mutable {
    if (auto why = unwanted(self, intent); !why.empty()) {
      promise.deliver(no(std::move(why)));
      return;
    }
    feed(self, host_ha::looked{seen.verdict});
    if (answers(seen))
      promise.deliver(no("its daemons answer: " + seen.evidence, true));
    else if (seen.verdict != health::unhealthy)
      promise.deliver(no("its daemons could not be asked: " + seen.evidence));
    else
      ask_guards(self, intent, std::move(promise));
  });
  return promise;
}

namespace {

/// So long may instances wait for a proof before a person hears.
constexpr auto proof_patience = minutes{5};

void tell_unproved(self_ptr self, const std::string& what,
                   const std::string& advice) {
  auto& st = self->state;
  record(self, st.peers.journal,
         entry_of(self, entry_kind::alert, "X.PROOF_LOST",
                  fmt::format("Node {} is {}, and {}: {}. {}", st.node,
                              st.facts->record.offline
                                ? "marked offline"
                                : "fenced, but not marked offline",
                              what, who_waits(st), advice)));
}

/// Something of it could start elsewhere, were it proved off.
bool is_waited_for(const node_state& st) {
  if (!st.facts)
    return false;
  if (st.facts->record.offline)
    return !st.facts->stranded.empty();
  // Fenced, not marked yet, and without a proof it will not be.
  return st.machine.phase == ha_phase::fenced && st.machine.maintenance;
}

/// Whether they run there nobody asks.
void tell_alive(self_ptr self) {
  auto& st = self->state;
  record(self, st.peers.journal,
         entry_of(self, entry_kind::alert, "X.PROOF_LOST",
                  fmt::format("Node {0} is marked offline and answers: "
                              "no new job starts {1} elsewhere, while one "
                              "that is under way goes on (gnt-job list "
                              "--running). Return it to service: "
                              "orderly node modify --offline=no {0}",
                              st.node, fmt::join(st.facts->stranded, ", "))));
}

/// Nothing vouches for the look itself, and nothing for the node.
void tell_unseen(self_ptr self, const std::string& span,
                 const std::string& evidence) {
  const auto& node = self->state.node;
  tell_unproved(
    self,
    fmt::format("{} no look can tell whether it is off ({})", span, evidence),
    fmt::format("Mark offline what is dead, or mend the link. If "
                "{0} is off, say so: orderly confirm-off {0} "
                "--ignore-silence --reason TEXT",
                node));
}

void tell_silent(self_ptr self, const std::string& span) {
  const auto& st = self->state;
  if (st.power == power_state::on)
    tell_unproved(self, span + " its power reads on and nothing of it answers",
                  fmt::format("Return it to service, or switch it off: "
                              "orderly power off {}",
                              st.node));
  else
    tell_unproved(self, span + " nothing has proved that it is off",
                  fmt::format("If it is off, say so: orderly confirm-off {} "
                              "--reason TEXT",
                              st.node));
}

last_look found_by(const sighting& seen) {
  if (answers(seen))
    return last_look::alive;
  return is_silent(seen) ? last_look::silent : last_look::nothing;
}

/// Is that what instances wait for, and news to a person?
bool is_worth_telling(node_state& st, last_look found) {
  auto blind = found == last_look::nothing;
  if (blind && st.unproved_told)
    return false;
  // What is otherwise than it was told must last; so must a blind look.
  auto first = !st.unproved_told && !blind;
  auto lasts = std::exchange(st.unproved_seen, found) == found || first;
  if (!lasts || st.unproved_told == found || !is_waited_for(st))
    return false;
  // It is told of by its fence, or needs no proof but this silence.
  return found == last_look::alive ? st.facts->record.offline : !is_vouched(st);
}

/// Does anything of it answer? Whoever was told that it does, or does not,
/// hears when that is otherwise.
void look_before_telling(self_ptr self) {
  self->state.unproved_since = now(self, self->state.ctx);
  look(self, [self, since = self->state.unproved_since](const sighting& seen) {
    auto& st = self->state;
    auto found = found_by(seen);
    if (!is_worth_telling(st, found) || st.unproved_since != since)
      return;
    auto lasted = now(self, st.ctx) - since + proof_patience;
    auto span = st.unproved_told ? std::string{"by now"}
                                 : fmt::format("for {} s", lasted / seconds{1});
    st.unproved_told = found;
    if (found == last_look::alive)
      tell_alive(self);
    else if (found == last_look::silent)
      tell_silent(self, span);
    else
      tell_unseen(self, span, seen.evidence);
  });
}

/// Marked offline, with instances that could start elsewhere, and nothing says
/// that it is off; or it answers, whatever its mark is to prove.
void warn_unproved(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto waits = is_waited_for(st) && !st.machine.proved_down && !st.seen_off
               && st.doubt.empty() && st.facts->held.empty()
               && (st.answered || !is_vouched(st));
  if (!waits) {
    st.unproved_since = never;
    st.unproved_told.reset();
    st.unproved_seen.reset();
    return;
  }
  if (st.unproved_since == never)
    st.unproved_since = at;
  if (at - st.unproved_since < proof_patience)
    return;
  look_before_telling(self);
}

} // namespace

void expire_proofs(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto too_old = [&](const std::optional<proof>& x) {
    return x && x->level == proof_level::power_status
           && at - x->at > st.ctx->rules()->autorepair.proof_max_age;
  };
  if (too_old(st.seen_off)) {
    st.seen_off.reset();
    publish(self);
  }
  warn_unproved(self);
  if (!too_old(st.machine.proved_down))
    return;
  feed(self, host_ha::proof_expired{
               fmt::format("its power was read off {} s ago, and not since",
                           (at - st.machine.proved_down->at) / seconds{1})});
  auto who = who_waits(st);
  if (st.machine.proved_down || who.empty())
    return;
  st.unproved_since = at;
  st.unproved_told = last_look::silent;
  record(
    self, st.peers.journal,
    entry_of(self, entry_kind::alert, "X.PROOF_LOST",
             fmt::format("Node {0} is fenced, {1}, and its controller does "
                         "not answer any more: {2}. If it is off, say so: "
                         "orderly confirm-off {0} --reason TEXT",
                         st.node,
                         st.facts->record.offline ? "is marked offline"
                                                  : "is not marked offline yet",
                         who)));
}

} // namespace orderly::node_parts
