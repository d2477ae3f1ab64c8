// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The node's controller: what a rehearsal says of it, and when no off of it is
// believed.

#include "actors/policy/errand/limits.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/policy/trust/mind.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::trust {

namespace {

/// Rehearsals in a row that must fail, or see a mismatch, before it counts.
constexpr std::uint32_t misses_max = 2;

/// What a rehearsal found amiss is looked at again so soon.
constexpr millis again = minutes{1};

std::string lie(const power_report& off) {
  return fmt::format("{} says off, but the node's daemons answer", off.program);
}

} // namespace

/// What is wrong with this reading by itself; empty: nothing.
std::string mind::nonsense(const power_report& report) const {
  if (report.state == power_state::unknown)
    return report.complaint.empty() ? report.evidence : report.complaint;
  if (report.state != power_state::off || !is_.is_caught(report.program))
    return {};
  auto lies = s_.answered && report.at - s_.verdict_at <= r_.recent();
  return lies ? lie(report) : is_.doubt();
}

/// Off where on is recorded, or beside what was heard a moment ago: before it
/// is rated its daemons are asked, and now, for its next off may come when they
/// cannot be.
bool mind::is_asked_about(const power_report& report) const {
  auto heard = report.at - s_.heard_at <= r_.recent();
  return report.state == power_state::off && (around_.recorded_on || heard)
         && !is_.is_caught(report.program);
}

/// What is read against what is recorded; empty: they agree. What a person
/// just ordered is being recorded.
std::string mind::mismatch(const power_report& report) const {
  auto on = around_.recorded_on;
  auto seen = report.state;
  if (seen == power_state::unknown || on == (seen == power_state::on))
    return {};
  if (s_.wish.wanted == seen && report.at - s_.wish.at <= errand::queued_within)
    return s_.check.mismatch;
  return on ? "recorded on, is off" : "recorded off, is on";
}

/// What a reading that is not nonsense is worth.
void mind::rate(const power_report& report, rehearsal& next) const {
  // Off where on is recorded: a lie, or no time for a rehearsal.
  if (report.state == power_state::on || !around_.recorded_on) {
    next.result = protection::proven;
    next.why = fmt::format("power status {} by {}", to_string(report.state),
                           report.program);
  } else if (next.result == protection::unproven) {
    next.why = fmt::format("{} answers again, but says off where on is "
                           "recorded: it is relied upon once it says on",
                           report.program);
  }
}

/// What is recorded off is treated by nobody, whatever runs there: that it
/// runs, and that it goes off under its instances, a person must hear.
row mind::mismatch_row(const rehearsal& x) {
  auto untreated = !around_.recorded_on && !around_.offline;
  auto went_off
    = std::exchange(s_.ran_unrecorded, untreated && !x.mismatch.empty())
      && untreated && around_.is_home;
  auto kind = untreated && (went_off || !x.mismatch.empty())
                ? entry_kind::alert
                : entry_kind::decision;
  if (!x.mismatch.empty())
    return {kind, codes::power_mismatch,
            mismatch_text(name_, around_.recorded_on, x.seen)
              + "; correct the record by orderly node modify --powered=yes|no, "
                "or the power"};
  if (went_off)
    return {kind, codes::power_mismatch,
            fmt::format("Node {0}, which ran though it is recorded powered "
                        "off, has gone off: what is at home there is down, and "
                        "automation leaves it alone. Switch it on: orderly "
                        "power on {0}, or have it treated: orderly node modify "
                        "--powered=yes {0}",
                        name_)};
  return {kind, codes::power_mismatch,
          "the power record agrees with the actual power state again"};
}

/// Tells what changed, and who may rely on it.
void mind::settle(const rehearsal& next) {
  auto before = std::exchange(s_.check, next);
  auto fell = next.result == protection::unproven
              && before.result != protection::unproven;
  auto rose = next.result == protection::proven
              && before.result == protection::unproven;
  write_rows told;
  told.with_state = told.then_judge = true;
  if (fell)
    told.rows.push_back(
      {entry_kind::alert, "X.UNPROTECTED",
       fmt::format("Node {} is unprotected, if it fails now nobody can fence "
                   "it: {}",
                   name_, next.why)});
  if (rose)
    told.rows.push_back(
      {entry_kind::decision, "X.PROTECTED",
       fmt::format("Node {} is protected again: {}", name_, next.why)});
  if (before.mismatch != next.mismatch)
    told.rows.push_back(mismatch_row(next));
  if (told.rows.empty() && before.result != next.result)
    told.rows.push_back({entry_kind::note, "rehearsed", {}});
  if (told.rows.empty())
    emit(publish{});
  else
    emit(std::move(told));
}

void mind::take(const rehearsed& e) {
  const auto& report = e.report;
  hear_wish(report.wish);
  believe_on(report);
  if (!around_.known || !is_.is_well())
    return; // it became an incident meanwhile
  if (!report.tried) {
    s_.rehearse_at = report.at + again; // our own trouble, not its
    return;
  }
  if (!is_asked_about(report)) {
    weigh(report, nonsense(report));
    return;
  }
  s_.rehearse_at = report.at + std::min(again, r_.rehearsal_interval);
  ask(question::liar, report);
}

/// A controller that says off while the node's daemons answer is another
/// machine's, or lies. If nobody came to look it is rehearsed again soon.
void mind::liar_answered(const daemons_said& e) {
  auto lies = around_.known && answers(e.seen);
  if (lies)
    distrust(e.report, !e.answered_before);
  if (around_.known && is_.is_well() && (lies || is_silent(e.seen)))
    weigh(e.report, lies ? lie(e.report) : nonsense(e.report));
  all_asked();
}

/// What this rehearsal says of it, `bad` is what is wrong with it.
void mind::weigh(const power_report& report, std::string bad) {
  auto next = s_.check;
  next.at = report.at;
  next.seen = report.state;
  auto found = bad.empty() ? mismatch(report) : next.mismatch;
  auto amiss = !bad.empty() || found != next.mismatch;
  auto interval = r_.rehearsal_interval;
  s_.rehearse_at = report.at + (amiss ? std::min(again, interval) : interval);
  // Once may be chance: a controller that restarts, a record being written.
  s_.misses = bad.empty() ? 0 : s_.misses + 1;
  s_.differs = found == next.mismatch ? 0 : s_.differs + 1;
  if (bad.empty()) {
    rate(report, next);
  } else if (s_.misses >= misses_max) {
    s_.misses = 0;
    next.result = protection::unproven;
    next.why = std::move(bad);
  }
  if (s_.differs >= misses_max) {
    s_.differs = 0;
    next.mismatch = std::move(found);
  }
  settle(next);
}

/// Recorded off, and it answers: what its power reads is to be told.
void mind::rehearse_soon() {
  auto unread = around_.known && !around_.offline && !around_.recorded_on
                && s_.check.mismatch.empty();
  if (unread && s_.rehearse_at != never)
    s_.rehearse_at = std::min(s_.rehearse_at, now_ + again);
}

void mind::take(const rehearsal_lost&) {
  s_.rehearse_at = now_ + again;
}

/// A controller that says on may say off again, and is believed; whoever asked
/// it, and for what.
void mind::believe_on(const power_report& report) {
  if (report.state != power_state::on)
    return;
  s_.shown_alive = std::max(s_.shown_alive, report.at);
  if (s_.seen_off && s_.seen_off->at <= report.at) {
    s_.seen_off.reset();
    emit(publish{});
  }
  forgive(report);
}

/// Another helper's on does not make one honest, only itself.
void mind::forgive(const power_report& report) {
  if (s_.doubted.empty())
    return;
  auto caught = is_.is_caught(report.program);
  s_.doubted.erase(report.program);
  s_.doubted.erase(std::string{});
  auto news = s_.cleared.insert(report.program).second;
  if (s_.doubted.empty())
    s_.cleared.clear();
  if (caught || news)
    tell(entry_kind::note, "power-believed", {}, true);
}

void mind::take(const said_on_before& e) {
  forgive(e.report);
}

void mind::take(const fence_denied& e) {
  distrust(e.report, true);
}

/// No off of it is believed until it has said on. Told once, and again if the
/// node answers after a silence.
void mind::distrust(const power_report& report, bool is_news) {
  s_.seen_off.reset();
  auto known = !s_.doubted.insert(report.program).second;
  s_.cleared.clear();
  if (known && !is_news)
    return;
  // In service, that it is unprotected is what a person must know.
  auto is_out = around_.offline || m_.phase == ha_phase::fenced;
  tell(is_out ? entry_kind::alert : entry_kind::note, "X.OFF_BUT_ANSWERS",
       fmt::format("{0} says that node {1} is off, but the node's "
                   "daemons answer: nothing of it may start elsewhere, "
                   "and no off of this controller is believed until it "
                   "has said on. Switch the node off by hand and {2}",
                   report.program, name_, how_to_say()),
       true);
}

} // namespace orderly::trust
