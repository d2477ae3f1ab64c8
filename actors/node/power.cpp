// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node/power.hpp"

#include "actors/node/collector.hpp"
#include "actors/policy/errand/errand.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/power/oob.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

/// Rehearsals in a row that must fail, or see a mismatch, before it counts.
constexpr std::uint32_t misses_max = 2;

/// What a rehearsal found amiss is looked at again so soon.
constexpr millis again = minutes{1};

bool is_well(const node_state& st) {
  return st.machine.phase == ha_phase::available
         || st.machine.phase == ha_phase::ineligible;
}

/// What is wrong with this reading; empty: nothing. A controller that says
/// off while the node's daemons answer is another machine's, or lies.
std::string nonsense(const node_state& st, const power_report& report) {
  if (report.state == power_state::unknown)
    return report.complaint.empty() ? report.evidence : report.complaint;
  if (report.state != power_state::off)
    return {};
  auto recent = 2 * st.ctx->rules()->host_ha.check_interval;
  if (st.verdict == health::healthy && report.at - st.verdict_at <= recent)
    return fmt::format("{} says off, but the node's daemons answer",
                       report.program);
  return is_doubted(st, report) ? st.doubt : std::string{};
}

/// What is read against what is recorded; empty: they agree. What a person
/// just ordered is being recorded.
std::string mismatch(const node_state& st, const power_report& report) {
  auto on = st.facts->recorded_on;
  auto seen = report.state;
  if (seen == power_state::unknown || on == (seen == power_state::on))
    return {};
  if (st.wish.wanted == seen && report.at - st.wish.at <= errand::queued_within)
    return st.power_check.mismatch;
  return on ? "recorded on, is off" : "recorded off, is on";
}

/// What a reading that is not nonsense is worth.
void rate(const node_state& st, const power_report& report, rehearsal& next) {
  // Off where on is recorded: a lie, or no time for a rehearsal.
  if (report.state == power_state::on || !st.facts->recorded_on) {
    next.result = protection::proven;
    next.why = fmt::format("power status {} by {}", to_string(report.state),
                           report.program);
  } else if (next.result == protection::unproven) {
    next.why = fmt::format("{} answers again, but says off where on is "
                           "recorded: it is relied upon once it says on",
                           report.program);
  }
}

std::string mismatch_sentence(const node_state& st, const rehearsal& x) {
  if (x.mismatch.empty())
    return "the power record agrees with the actual power state again";
  return mismatch_text(st.node, st.facts->recorded_on, x.seen)
         + "; correct the record by orderly node modify --powered=yes|no, or "
           "the power";
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
  // What is recorded off is looked at by nobody, whatever runs there.
  auto unseen = !next.mismatch.empty() && !st.facts->recorded_on
                && !st.facts->record.offline;
  if (before.mismatch != next.mismatch)
    rows.push_back(
      entry_of(self, unseen ? entry_kind::alert : entry_kind::decision,
               codes::power_mismatch, mismatch_sentence(st, next)));
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
  take_wish(self, report);
  believe_on(self, report);
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
  auto found = bad.empty() ? mismatch(st, report) : next.mismatch;
  auto amiss = !bad.empty() || found != next.mismatch;
  st.rehearse_at = report.at + (amiss ? std::min(again, interval) : interval);
  // Once may be chance: a controller that restarts, a record being written.
  st.misses = bad.empty() ? 0 : st.misses + 1;
  st.differs = found == next.mismatch ? 0 : st.differs + 1;
  if (bad.empty()) {
    rate(st, report, next);
  } else if (st.misses >= misses_max) {
    st.misses = 0;
    next.result = protection::unproven;
    next.why = std::move(bad);
    if (report.state == power_state::off && !is_doubted(st, report))
      ask_daemons(self, report, [] {}); // what they say now makes it a liar
  }
  if (st.differs >= misses_max) {
    st.differs = 0;
    next.mismatch = std::move(found);
  }
  settle(self, next);
}

/// An offline node is off, and that is on disk.
void take_proof(self_ptr self, const proof& found) {
  auto& st = self->state;
  auto holds = st.facts && st.facts->record.offline && st.doubt.empty()
               && st.machine.phase == ha_phase::ineligible
               && found.at > st.ordered_on && found.at > st.shown_alive;
  if (holds)
    st.seen_off = found;
  all_asked(self);
}

} // namespace

void distrust(self_ptr self, const power_report& report, bool is_news) {
  auto& st = self->state;
  st.seen_off.reset();
  if (!st.doubt.empty() && !is_news)
    return;
  st.doubt = report.program + " said off while the node's daemons answered";
  st.doubted = report.program;
  // In service, that it is unprotected is what a person must know.
  auto is_out
    = st.facts->record.offline || st.machine.phase == ha_phase::fenced;
  auto entry = entry_of(
    self, is_out ? entry_kind::alert : entry_kind::note, "X.OFF_BUT_ANSWERS",
    fmt::format("{0} says that node {1} is off, but the node's "
                "daemons answer: nothing of it may start elsewhere, "
                "and no off of this controller is believed until it "
                "has said on. Switch the node off by hand and say "
                "so: orderly confirm-off {1} --reason TEXT",
                report.program, st.node));
  entry.state = to_fields(st);
  record(self, st.peers.journal, std::move(entry));
}

void forgive(self_ptr self) {
  auto& st = self->state;
  if (st.doubt.empty())
    return;
  st.doubt.clear();
  st.doubted.clear();
  auto entry = entry_of(self, entry_kind::note, "power-believed", {});
  entry.state = to_fields(st);
  record(self, st.peers.journal, std::move(entry));
}

bool is_doubted(const node_state& st, const power_report& report) {
  return !st.doubt.empty()
         && (st.doubted.empty() || st.doubted == report.program);
}

void believe_on(self_ptr self, const power_report& report) {
  if (report.state != power_state::on)
    return;
  self->state.shown_alive = std::max(self->state.shown_alive, report.at);
  if (is_doubted(self->state, report))
    forgive(self);
}

void all_asked(self_ptr self) {
  auto& st = self->state;
  st.power_asked = st.facts && st.facts->record.offline;
  publish(self);
}

void ask_daemons(self_ptr self, const power_report& report,
                 std::function<void()> silent) {
  auto before = self->state.answered;
  look(self, [self, report, silent, before](const sighting& seen) {
    auto& state = self->state;
    if (state.facts && answers(seen))
      distrust(self, report, !before);
    else if (state.facts && is_silent(seen) && state.doubt.empty())
      return silent();
    all_asked(self);
  });
}

namespace {

/// Nothing was read of an offline node that was off: does it live by now?
void doubt_offline(self_ptr self) {
  auto& st = self->state;
  if (!st.seen_off) {
    all_asked(self);
    return;
  }
  look(self, [self](const sighting& seen) {
    if (answers(seen))
      self->state.seen_off.reset();
    all_asked(self);
  });
}

} // namespace

void judge_offline(self_ptr self, const power_report& report) {
  auto& st = self->state;
  if (report.state == power_state::on)
    st.seen_off.reset(); // somebody switched it on
  if (report.state != power_state::off) {
    doubt_offline(self);
    return;
  }
  ask_daemons(self, report, [self, report] {
    auto& state = self->state;
    proof found{state.node, proof_level::power_status, report.evidence,
                report.at};
    auto due = tell_again(state, found.at);
    if (state.seen_off && !due)
      take_proof(self, found);
    else
      write_proof(
        self, found.text, [self, found] { take_proof(self, found); },
        state.seen_off ? entry_kind::note : entry_kind::outcome);
  });
}

void take_wish(self_ptr self, const power_report& report) {
  auto& st = self->state;
  heed_wish(self, report.wish);
  if (st.wish == report.wish)
    return;
  st.wish = report.wish;
  judge(self);
}

void void_proofs(self_ptr self, instant at, std::string why) {
  auto& st = self->state;
  if (at <= st.ordered_on)
    return;
  st.ordered_on = at;
  if (st.seen_off && st.seen_off->at <= at)
    st.seen_off.reset();
  feed(self, host_ha::ordered_on{at, std::move(why), false});
  publish(self);
}

void hear_of_boot(self_ptr self) {
  auto& st = self->state;
  constexpr const char* why = "a person's order switched it on";
  auto at = st.facts->raised;
  void_proofs(self, at, why);
  if (at <= st.boot_told)
    return;
  st.boot_told = at;
  feed(self, host_ha::ordered_on{at, why, true});
}

void heed_wish(self_ptr self, const power_wish& wish) {
  if (wish.wanted == power_state::on)
    void_proofs(self, wish.at, fmt::format("{} ordered it on", wish.who));
}

bool is_raised_since(const node_state& st, instant at) {
  return at <= st.ordered_on || (st.facts && !st.facts->rising.empty());
}

void outdate_reading(node_state& st, const power_wish& wish, instant at) {
  // Most commands have worked by then.
  constexpr millis soon = seconds{15};
  if (wish.at <= st.outdated_at || st.power == power_state::unknown
      || st.power == wish.wanted)
    return;
  st.outdated_at = wish.at;
  st.power = power_state::unknown;
  st.power_read = at - minutes{1} + soon;
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
  self
    ->request(st.peers.oob, patience::look, order_of(self, power_verb::status))
    .then([self](const power_report& report) { rehearsed(self, report); },
          [self](const caf::error&) {
            self->state.rehearsing = false;
            self->state.rehearse_at = now(self, self->state.ctx) + again;
          });
}

std::string unprotected(const node_state& st) {
  return is_well(st) && is_unprotected(st) ? st.power_check.why : std::string{};
}

void forget_power(node_state& st) {
  st.seen_off.reset();
  st.proof_written = false;
  st.proof_told = never;
  st.ordered_on = never;
  st.power_asked = false;
  st.power_read = never;
  st.outdated_at = never;
  st.power_check = {};
  st.misses = 0;
  st.differs = 0;
  st.rehearse_at = never;
  st.doubt.clear();
  st.doubted.clear();
  st.shown_alive = never;
  st.wish = {};
  st.power = power_state::unknown;
  st.verdict = health::unknown;
  st.verdict_at = never;
  st.answered = false;
  st.lived_at = st.answers_since = st.silent_since = never;
}

} // namespace orderly::node_parts
