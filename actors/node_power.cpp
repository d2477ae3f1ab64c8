// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node_power.hpp"

#include "actors/collector.hpp"
#include "actors/oob.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

/// Rehearsals in a row that must fail, or see a mismatch, before it counts.
constexpr std::uint32_t misses_max = 2;

/// What a rehearsal found amiss is looked at again so soon.
constexpr millis again = minutes{1};

protection protection_from(const std::string& text) {
  for (auto x :
       {protection::unrehearsed, protection::proven, protection::unproven})
    if (text == to_string(x))
      return x;
  return protection::none;
}

bool is_well(const node_state& st) {
  return st.machine.phase == ha_phase::available
         || st.machine.phase == ha_phase::ineligible;
}

/// What is wrong with this reading; empty: nothing. A controller that says
/// off while the node's daemons answer is another machine's, or lies.
std::string nonsense(const node_state& st, const power_report& report) {
  if (report.state == power_state::unknown)
    return report.complaint.empty() ? report.evidence : report.complaint;
  auto recent = 2 * st.ctx->rules()->host_ha.check_interval;
  if (report.state == power_state::off && st.verdict == health::healthy
      && report.at - st.verdict_at <= recent)
    return fmt::format("{} says off, but the node's daemons answer",
                       report.program);
  return {};
}

std::string mismatch(const node_state& st, power_state seen) {
  auto on = st.facts->recorded_on;
  if (seen == power_state::unknown || on == (seen == power_state::on))
    return {};
  return on ? "recorded on, is off" : "recorded off, is on";
}

std::string mismatch_sentence(const node_state& st, const rehearsal& x) {
  if (x.mismatch.empty())
    return "the power record agrees with the actual power state again";
  return fmt::format("Recorded power state ({}) of node '{}' does not match "
                     "actual power state ({}); correct the record by orderly "
                     "node modify --powered=yes|no, or the power",
                     st.facts->recorded_on ? "True" : "False", st.node,
                     x.seen == power_state::on ? "True" : "False");
}

/// Tells what changed, and who may rely on it.
void settle(self_ptr self, const rehearsal& next) {
  auto& st = self->state;
  auto before = std::exchange(st.power_check, next);
  auto fell = next.result == protection::unproven
              && before.result != protection::unproven;
  auto rose = next.result == protection::proven
              && before.result == protection::unproven;
  std::vector<journal_entry> rows;
  if (fell)
    rows.push_back(entry_of(
      self, entry_kind::alert, "X.UNPROTECTED",
      fmt::format("Node {} is unprotected, if it fails now nobody can fence "
                  "it: {}",
                  st.node, next.why)));
  if (rose)
    rows.push_back(entry_of(
      self, entry_kind::decision, "X.PROTECTED",
      fmt::format("Node {} is protected again: {}", st.node, next.why)));
  if (before.mismatch != next.mismatch)
    rows.push_back(entry_of(self, entry_kind::decision, "power-mismatch",
                            mismatch_sentence(st, next)));
  if (rows.empty() && before.result != next.result)
    rows.push_back(entry_of(self, entry_kind::note, "rehearsed", {}));
  if (rows.empty()) {
    publish(self);
    return;
  }
  rows.back().state = to_fields(st);
  record(self, st.peers.journal, std::move(rows), [self] {
    judge(self);
    publish(self);
  });
}

void rehearsed(self_ptr self, const power_report& report) {
  auto& st = self->state;
  st.rehearsing = false;
  take_wish(self, report.wish);
  auto interval = st.ctx->rules()->power.rehearsal_interval;
  if (!st.facts || !is_well(st))
    return; // it became an incident meanwhile
  if (!report.tried) {
    st.rehearse_at = report.at + again; // our own trouble, not its
    return;
  }
  auto next = st.power_check;
  next.at = report.at;
  next.seen = report.state;
  auto bad = nonsense(st, report);
  auto differs = bad.empty() ? mismatch(st, report.state) : next.mismatch;
  auto amiss = !bad.empty() || differs != next.mismatch;
  st.misses = amiss ? st.misses + 1 : 0;
  st.rehearse_at = report.at + (amiss ? std::min(again, interval) : interval);
  // Off where on is recorded: a lie, or no time for a rehearsal.
  auto doubtful = report.state == power_state::off && st.facts->recorded_on;
  if (bad.empty() && !doubtful) {
    next.result = protection::proven;
    next.why = fmt::format("power status {} by {}", to_string(report.state),
                           report.program);
  }
  // Once may be chance: a controller that restarts, a record being written.
  if (amiss && st.misses >= misses_max) {
    if (!bad.empty()) {
      next.result = protection::unproven;
      next.why = std::move(bad);
    }
    next.mismatch = std::move(differs);
    st.misses = 0;
  }
  settle(self, next);
}

/// A person marked it offline and it reads off.
void prove_offline(self_ptr self, const power_report& report) {
  auto& st = self->state;
  auto first = !st.seen_off;
  st.seen_off
    = proof{st.node, proof_level::power_status, report.evidence, report.at};
  auto age = st.ctx->rules()->autorepair.proof_max_age;
  if (!first && report.at - st.proof_told <= age / 3) {
    publish(self);
    return;
  }
  st.proof_told = report.at;
  record(self, st.peers.journal,
         {entry_of(self, entry_kind::outcome, "proof", report.evidence)},
         [self] { publish(self); });
}

} // namespace

void judge_offline(self_ptr self, const power_report& report) {
  auto& st = self->state;
  auto ordered_on = st.seen_off && report.wish.wanted == power_state::on
                    && report.wish.at > st.seen_off->at;
  if (report.state == power_state::on || ordered_on)
    st.seen_off.reset(); // somebody switched it on
  if (report.state != power_state::off || is_unprotected(st)) {
    publish(self);
    return;
  }
  if (st.seen_off) {
    prove_offline(self, report);
    return;
  }
  // Its own daemons have the last word on whether it is off.
  probe_request question{st.node, st.facts->record.address,
                         st.ctx->rules()->host_ha.check_timeout};
  self->request(st.peers.collector, minutes{10}, std::move(question))
    .then(
      [self, report](const sighting& seen) {
        auto& state = self->state;
        auto still = state.facts && state.facts->record.offline
                     && state.machine.phase == ha_phase::ineligible;
        if (still && seen.verdict != health::healthy)
          prove_offline(self, report);
        else if (still)
          record(self, state.peers.journal,
                 entry_of(self, entry_kind::alert, "X.OFF_BUT_ANSWERS",
                          fmt::format("Node {} is marked offline and {} says "
                                      "off, but its daemons answer: nothing of "
                                      "it may start elsewhere",
                                      state.node, report.program)));
        publish(self);
      },
      [self](const caf::error&) { publish(self); });
}

void take_wish(self_ptr self, const power_wish& wish) {
  auto& st = self->state;
  if (st.wish == wish)
    return;
  st.wish = wish;
  judge(self);
}

std::string wished_off(const node_state& st) {
  if (st.wish.wanted != power_state::off || st.machine.maintenance)
    return {};
  return fmt::format("{} wants it off{}{}", st.wish.who,
                     st.wish.why.empty() ? "" : ": ", st.wish.why);
}

bool is_unprotected(const node_state& st) {
  return st.power_check.result == protection::unproven
         && st.ctx->rules()->power.rehearsal_interval > millis{0};
}

void heard(self_ptr self, health verdict) {
  auto& st = self->state;
  if (verdict == health::unknown)
    return;
  auto before = std::exchange(st.verdict, verdict);
  st.verdict_at = now(self, st.ctx);
  auto alone = st.machine.phase == ha_phase::ineligible && is_unprotected(st)
               && st.facts && !st.facts->record.offline
               && st.facts->recorded_on;
  if (!alone || before == verdict)
    return;
  publish(self);
  if (verdict == health::unhealthy)
    record(self, st.peers.journal,
           entry_of(self, entry_kind::alert, "X.UNPROTECTED_DOWN",
                    fmt::format("Node {} fails its health check and nobody can "
                                "fence it. Switch it off by hand and say so: "
                                "orderly confirm-off {} --reason TEXT",
                                st.node, st.node)));
}

instant first_rehearsal(const node_state& st, instant at) {
  constexpr std::int64_t a_check = 50; // nodes
  auto checks = static_cast<std::int64_t>(st.facts->online->size()) / a_check;
  dice jitter{st.ctx->seed_for("rehearsal of " + st.node)};
  auto interval = st.ctx->rules()->host_ha.check_interval.count();
  auto span = static_cast<std::uint64_t>(checks * interval);
  return at + millis{static_cast<std::int64_t>(jitter.below(span + 1))};
}

void rehearse(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (st.rehearsing || !is_well(st) || !st.facts
      || st.ctx->rules()->power.rehearsal_interval == millis{0}
      || programs_of(st).empty() || !st.facts->held.empty())
    return; // or a person works on it, and its record may be under way
  if (st.rehearse_at == never)
    st.rehearse_at = first_rehearsal(st, at);
  if (at < st.rehearse_at)
    return;
  st.rehearsing = true;
  self->request(st.peers.oob, minutes{10}, order_of(self, power_verb::status))
    .then([self](const power_report& report) { rehearsed(self, report); },
          [self](const caf::error&) {
            self->state.rehearsing = false;
            self->state.rehearse_at = now(self, self->state.ctx) + again;
          });
}

std::string unprotected(const node_state& st) {
  return is_well(st) && is_unprotected(st) ? st.power_check.why : std::string{};
}

void put_rehearsal(fields& f, const rehearsal& x) {
  if (x.result == protection::none)
    return;
  f.put("protection", to_string(x.result));
  f.put("protection_why", x.why);
  f.put("protection_at", x.at);
  f.put("power_seen", to_string(x.seen));
  f.put("power_mismatch", x.mismatch);
}

rehearsal rehearsal_from(const fields& f) {
  rehearsal x;
  x.result = protection_from(f.text("protection"));
  x.why = f.text("protection_why");
  x.at = f.when("protection_at");
  auto seen = f.text("power_seen");
  x.seen = seen == "on"    ? power_state::on
           : seen == "off" ? power_state::off
                           : power_state::unknown;
  x.mismatch = f.text("power_mismatch");
  return x;
}

} // namespace orderly::node_parts
