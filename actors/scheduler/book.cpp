// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/scheduler/book.hpp"

#include "actors/scheduler/guards.hpp"
#include "actors/shell/patience.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly {

using namespace scheduler_parts;

namespace {

fields to_fields(const scheduler_state& st) {
  fields f;
  f.put("fences", budget::to_text(st.budget.fences));
  f.put("failovers", budget::to_text(st.budget.failovers));
  f.put("storm", std::int64_t{st.storm.open});
  f.put("storm_since", st.storm.since);
  return f;
}

std::uint32_t left(std::uint32_t most, std::size_t used) {
  return used >= most ? 0 : most - static_cast<std::uint32_t>(used);
}

/// "budget: 6 of 6 fences used this hour: node:node3, node:node4 wait"
std::string held_text(const scheduler_state& st) {
  constexpr std::size_t named_max = 5;
  std::map<std::string, std::vector<object_id>> by_why;
  for (const auto& [owner, x] : st.held_by_budget)
    by_why[x.why].push_back(owner);
  std::string result;
  for (const auto& [why, owners] : by_why) {
    std::string names;
    for (std::size_t i = 0; i < std::min(owners.size(), named_max); ++i)
      names += (i == 0 ? "" : ", ") + owners[i];
    if (owners.size() > named_max)
      names += fmt::format(" and {} more", owners.size() - named_max);
    result += fmt::format("{}{}: {} {}", result.empty() ? "" : "; ", why, names,
                          owners.size() == 1 ? "waits" : "wait");
  }
  return result;
}

} // namespace

std::string scheduler_parts::text_of(const pause_order& x) {
  return x.who + (x.reason.empty() ? "" : ": " + x.reason);
}

fields scheduler_parts::pause_fields(bool paused, const std::string& by,
                                     instant damage) {
  fields f;
  f.put("paused", std::int64_t{paused});
  f.put("paused_by", by);
  if (damage != never)
    f.put("damage", damage);
  return f;
}

journal_entry scheduler_parts::entry_of(self_ptr self, entry_kind kind,
                                        std::string code, std::string why) {
  auto entry = entry_about(self, self->state.ctx, "scheduler", kind,
                           std::move(code), std::move(why));
  // Before the journal was read there is nothing worth keeping.
  if (self->state.recovered) {
    entry.state = to_fields(self->state);
    entry.state_key = state_key;
  }
  return entry;
}

void scheduler_parts::show(self_ptr self) {
  auto& st = self->state;
  // Before the journal was read nobody knows whether a person said stop.
  if (!st.recovered)
    return;
  auto rules = st.ctx->rules();
  guard_standing g;
  g.paused = st.paused;
  g.paused_by = st.paused_by;
  g.storm = st.storm.open;
  if (st.storm.open)
    g.storm_text = storm::standing_text(st.storm, storm_rules(*rules));
  g.troubled = st.storm.troubled;
  g.nodes = st.storm.nodes;
  auto window = budget::spend(st.budget, act_kind::record,
                              now(self, st.ctx)); // forgets old acts
  g.fences_left = left(rules->budget.fences_per_hour_max, window.fences.size());
  g.failovers_left
    = left(rules->budget.failovers_per_hour_max, window.failovers.size());
  g.permits_out = static_cast<std::uint32_t>(st.table.by_owner.size());
  g.budget = !st.held_by_budget.empty();
  g.budget_text = held_text(st);
  if (g == st.shown && st.right == st.shown_right)
    return;
  st.shown = g;
  st.shown_right = st.right;
  self->send(st.view, g, st.right);
}

void scheduler_parts::weigh_budget(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  std::erase_if(st.held_by_budget,
                [at](const auto& x) { return x.second.until <= at; });
  auto holds = !st.held_by_budget.empty();
  if (holds && !st.budget_told)
    record(self, st.journal,
           entry_of(self, entry_kind::alert, "budget",
                    held_text(st)
                      + "; look whether so much is truly broken, and if it is, "
                        "raise the limit in [budget] and reload"));
  else if (!holds && st.budget_told)
    record(self, st.journal,
           entry_of(self, entry_kind::decision, "budget-free",
                    "nothing waits for the budget any more"));
  st.budget_told = holds;
  show(self);
}

void scheduler_parts::note_budget(self_ptr self, const object_id& owner,
                                  const permit& answer) {
  auto& st = self->state;
  if (!answer.spent) {
    forget_held(self, owner);
    return;
  }
  // A little longer than until it asks again.
  auto slack = 2 * st.ctx->rules()->rounds.hold_retry;
  st.held_by_budget[owner] = {answer.why, answer.retry_at + slack};
  weigh_budget(self);
}

/// Whoever paused us hears that a node is dead meanwhile, or an instance down:
/// once a pause.
void scheduler_parts::note_pause(self_ptr self, const permit_request& wanted) {
  auto& st = self->state;
  if (!st.paused) {
    st.pause_told = false;
    return;
  }
  auto is_down = wanted.act == act_kind::fence
                 || wanted.act == act_kind::failover
                 || wanted.act == act_kind::reinstall;
  if (!is_down || std::exchange(st.pause_told, true))
    return;
  record(self, st.journal,
         entry_of(self, entry_kind::alert, "pause-holds",
                  fmt::format("paused by {}: the {} of {} waits{}; 'orderly "
                              "resume' lets it go",
                              st.paused_by, to_string(wanted.act), wanted.owner,
                              wanted.act == act_kind::fence
                                ? ", and its instances with it"
                                : "")));
}

void scheduler_parts::forget_held(self_ptr self, const object_id& owner) {
  if (self->state.held_by_budget.erase(owner) > 0)
    weigh_budget(self);
}

namespace {

/// What was paid for that permit, until it is given back; else null.
scheduler_state::price* price_of(scheduler_state& st, const object_id& owner,
                                 instant at) {
  auto i = st.prices.find(owner);
  return i != st.prices.end() && i->second.at == at ? &i->second : nullptr;
}

/// Written when the price is given back: the row has the budget as it is by
/// then.
void note_unused(self_ptr self, act_kind act, const object_id& owner,
                 const std::string& why) {
  record(self, self->state.journal,
         entry_of(self, entry_kind::note, "permit-unused",
                  fmt::format("{} for {}{}{}", to_string(act), owner,
                              why.empty() ? "" : ": ", why)));
}

} // namespace

caf::result<permit> scheduler_parts::pay(self_ptr self,
                                         const permit_request& wanted) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  st.budget = budget::spend(st.budget, wanted.act, at);
  st.prices[wanted.owner] = {wanted.act, at, false, wanted.incident};
  auto promise = self->make_response_promise<permit>();
  auto unpaid = [self, promise, at, wanted](permit why) mutable {
    auto& state = self->state;
    if (price_of(state, wanted.owner, at) != nullptr) {
      state.budget = budget::give_back(state.budget, wanted.act, at);
      reservations::release(state.table, wanted.owner);
      state.prices.erase(wanted.owner);
    }
    show(self);
    promise.deliver(std::move(why));
  };
  auto no_disk = [self, unpaid, wanted]() mutable {
    auto pause = self->state.ctx->rules()->rounds.hold_retry;
    constexpr const char* why = "the journal does not answer";
    unpaid(refused(why, now(self, self->state.ctx) + pause));
    // The row with the price may be on disk all the same.
    note_unused(self, wanted.act, wanted.owner, why);
  };
  auto entry
    = entry_of(self, entry_kind::note, "permit",
               fmt::format("{} for {}", to_string(wanted.act), wanted.owner));
  self
    ->request(st.journal, patience::scheduler,
              append{std::vector<journal_entry>{std::move(entry)}})
    .then(
      [self, promise, unpaid, no_disk, at,
       wanted](const journal_ack& ack) mutable {
        if (!ack.durable) {
          no_disk();
          return;
        }
        auto& state = self->state;
        auto* paid = price_of(state, wanted.owner, at);
        auto present = now(self, state.ctx);
        if (paid == nullptr) {
          promise.deliver(refused("it was given back before its price was on "
                                  "disk",
                                  present + patience::moment));
          return;
        }
        paid->on_disk = true;
        // The disk took its time: is there a storm or a pause by now?
        auto answer = renew(state, wanted, present);
        if (answer.granted) {
          promise.deliver(std::move(answer));
          return;
        }
        auto why = answer.why;
        unpaid(std::move(answer));
        note_unused(self, wanted.act, wanted.owner, why);
      },
      [no_disk](const caf::error&) mutable { no_disk(); });
  return promise;
}

bool scheduler_parts::is_unpaid(const scheduler_state& st,
                                const object_id& owner) {
  auto i = st.prices.find(owner);
  return i != st.prices.end() && !i->second.on_disk;
}

bool scheduler_parts::is_paid(const scheduler_state& st,
                              const permit_request& wanted) {
  auto i = st.prices.find(wanted.owner);
  return i != st.prices.end() && i->second.on_disk
         && i->second.act == wanted.act
         && i->second.incident == wanted.incident;
}

void scheduler_parts::give_back(self_ptr self, const permit_release& what) {
  auto& st = self->state;
  auto price = st.prices.find(what.owner);
  if (price != st.prices.end() && !(what.out && price->second.on_disk)) {
    auto [act, at, on_disk, incident] = price->second;
    st.prices.erase(price);
    // Nobody has heard yet of a permit whose price is not on disk.
    if (what.unused || !on_disk) {
      st.budget = budget::give_back(st.budget, act, at);
      note_unused(self, act, what.owner, {});
    }
  }
  forget_held(self, what.owner);
  if (reservations::release(st.table, what.owner))
    show(self);
}

} // namespace orderly
