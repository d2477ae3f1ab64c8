// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What answers mean for the row that asked.

#include "actors/policy/errand/worker.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

/// What went wrong, in the design's words and then in ours.
std::string trouble_of(const power_report& x) {
  if (x.complaint.empty())
    return x.evidence.empty() ? "the power switch gave no reason" : x.evidence;
  if (x.evidence.empty() || x.evidence.find(x.complaint) != std::string::npos)
    return x.evidence.empty() ? x.complaint : x.evidence;
  return x.complaint + "; " + x.evidence;
}

} // namespace

std::string unbelieved_text(const std::string& program) {
  return fmt::format("{} reads off, which is not believed before it has read "
                     "on: a helper of this node said off while the node's "
                     "daemons answered; look at it, and switch it off by hand",
                     program);
}

// --- the ways on ------------------------------------------------------------

/// Whatever comes next, the node has had its power since now.
void worker::note_switched(row& r) {
  auto steps = steps_of(s(), r);
  if (r.at < steps.size() && steps[r.at] == step_kind::power)
    r.switched = now_;
}

void worker::end(index i, row_state how, bool met, std::string text) {
  auto& r = at(i);
  if (how == row_state::done)
    note_switched(r);
  r.state = how;
  r.met = met;
  r.due = never;
  r.moved = now_;
  if (!text.empty())
    r.text = std::move(text);
  touch(i);
}

void worker::done(index i, std::string text) {
  end(i, row_state::done, true, std::move(text));
}

void worker::fail(index i, std::string text) {
  end(i, row_state::failed, false, std::move(text));
}

void worker::skip(index i, std::string text, bool met) {
  end(i, row_state::skipped, met, std::move(text));
}

void worker::advance(index i) {
  auto& r = at(i);
  note_switched(r);
  ++r.at;
  begin_tries(i);
  r.due = r.until = never;
  r.moved = now_;
  r.interrupted = false;
  touch(i);
  enter(i);
}

row* worker::running(const spot& x) {
  if (x.row >= s().rows.size())
    return nullptr;
  auto& r = at(x.row);
  if (r.state != row_state::running || !(spot_of(x.row) == x))
    return nullptr;
  return &r;
}

// --- answers ----------------------------------------------------------------

void worker::take(const begun&) {
  s().begun = true;
  if (s().stopped_by.empty())
    hold_nodes();
}

void worker::take(const woken&) {
  call_back_astray();
  for (index i = 0; i < s().rows.size(); ++i) {
    auto& r = at(i);
    if (r.state != row_state::running)
      continue;
    auto kind = step_at(i);
    if (r.due == never && is_job(kind) && r.until != never && r.until <= now_)
      give_up(i);
    if (r.due == never || r.due > now_)
      continue;
    r.due = never;
    if (kind != step_kind::wait) {
      touch(i);
      if (!begin(i, kind))
        advance(i);
      continue;
    }
    auto node = node_now(r);
    if (!node) {
      fail(i, "it is not in the cluster any more");
      continue;
    }
    act(probe{spot_of(i), question_about(*node, w_)});
  }
}

void worker::reading(index i, const power_report& report) {
  auto& r = at(i);
  auto known = report.confirmed && report.state != power_state::unknown;
  if (!known) {
    r.power = power_state::unknown;
    auto text = trouble_of(report);
    remark(fmt::format("Power state of node '{}' could not be read: {}",
                       r.object, text));
    fail(i, std::move(text));
    return;
  }
  r.power = report.state;
  auto node = node_now(r);
  auto text = node ? mismatch_text(r.object, node->powered, report.state)
                   : std::string{};
  if (!text.empty()) {
    remark(text);
    act(tell{entry_kind::alert, node_object(r.object), codes::power_mismatch,
             text, power_mismatch{node->powered, report.state}});
  }
  done(i, std::move(text));
}

void worker::healthy_or_not(index i, const power_report& report) {
  auto& r = at(i);
  r.items = report.items;
  if (!report.confirmed) {
    fail(i, trouble_of(report));
    return;
  }
  for (const auto& x : report.items) {
    if (!is_worrying(x))
      continue;
    auto text = fmt::format("Item '{}' on node '{}' has status '{}'", x.item,
                            r.object, x.status);
    remark(text);
    say(entry_kind::outcome, node_object(r.object), "health", std::move(text));
  }
  done(i);
}

/// Something spoke against it right before it would have left.
void worker::turned_away(index i, power_state read, std::string text) {
  if (goes_back(i))
    return;
  doubt_mark(i);
  auto& r = at(i);
  r.vain = true;
  r.power = read;
  say(entry_kind::outcome, node_object(r.object), "power-off",
      fmt::format("power-off of {} {}: {}", r.object, by_whom(), text));
  fail(i, std::move(text));
}

void worker::switched(index i, const power_report& report) {
  auto& r = at(i);
  auto verb = switch_verb(s());
  if (r.looking) {
    if (!found_so(i, report))
      return;
    r.evidence = "found so after a restart: " + report.evidence;
  } else {
    r.commanded = r.commanded || report.commanded; // perhaps before a restart
    r.evidence
      = report.evidence.empty() ? "read back" : std::string{report.evidence};
  }
  r.power = report.state;
  r.read_by = report.program;
  auto unbelieved = report.confirmed && verb == power_verb::off
                    && w_.doubt_of(r.object, report.program) > 0;
  if (unbelieved)
    r.power = power_state::unknown;
  if (!report.confirmed || unbelieved) {
    auto text
      = unbelieved ? unbelieved_text(report.program) : trouble_of(report);
    say(entry_kind::outcome, node_object(r.object), to_string(verb),
        fmt::format("{} of {} {} came to nothing: {}", to_string(verb),
                    r.object, by_whom(), text));
    fail(i, std::move(text));
    return;
  }
  say(entry_kind::outcome, node_object(r.object), to_string(verb),
      fmt::format("{} of {} {}: {}", to_string(verb), r.object, by_whom(),
                  r.evidence));
  advance(i);
}

void worker::take(const power_told& e) {
  if (running(e.at) == nullptr || step_at(e.at.row) != step_kind::power)
    return;
  if (e.at.row == s().last_started) {
    s().last_answer = now_;
    v_.head = true;
  }
  auto vain = e.report.withdrawn || (e.report.held_back && !e.report.commanded);
  if (vain && !halted().empty())
    halt(e.at.row);
  else if (vain && is_epo_off(s()))
    turned_away(e.at.row, e.report.state, trouble_of(e.report));
  else if (!is_reading(s().asked))
    switched(e.at.row, e.report);
  else if (verb_of(s().asked) == power_verb::health)
    healthy_or_not(e.at.row, e.report);
  else
    reading(e.at.row, e.report);
  if (e.report.commanded)
    stays_away(e.at.row);
}

/// The switch had told how it ended when the daemon died: it is over, whatever
/// was done about the node since. True if nothing is left to be asked: whether
/// it is still so is, before it is recorded so.
bool worker::told_before(index i, const resumed& e) {
  auto ended = e.endings.find(intent_of(s(), spot_of(i)));
  if (ended == e.endings.end())
    return false;
  const auto& report = ended->second;
  auto verb = switch_verb(s());
  auto node = node_now(at(i));
  auto unrecorded = verb == power_verb::off
                    || (verb == power_verb::on && node && !node->powered);
  if (report.confirmed && unrecorded) {
    at(i).worked = true;
    at(i).commanded = report.commanded;
    at(i).switched = std::min(report.at, now_);
    return false;
  }
  at(i).looking = false;
  take(power_told{spot_of(i), report});
  if (auto& r = at(i); r.commanded)
    r.switched = std::min(report.at, now_);
  return true;
}

void worker::take(const probe_told& e) {
  auto* r = running(e.at);
  if (r == nullptr || step_at(e.at.row) != step_kind::wait)
    return;
  auto next = std::min(now_ + probe_interval, r->until);
  if (e.verdict == health::healthy)
    return advance(e.at.row);
  if (now_ < r->until) {
    r->due = std::max(next, now_ + seconds{1});
    return;
  }
  fail(e.at.row, fmt::format("its node daemon did not answer within {} min",
                             back_within / minutes{1}));
  stays_away(e.at.row);
}

void worker::take(const program_told& e) {
  if (running(e.at) == nullptr || step_at(e.at.row) != step_kind::check)
    return;
  if (e.wrong.empty())
    done(e.at.row);
  else
    fail(e.at.row, "ENODEOOBPATH: " + e.wrong);
}

void worker::take(const word_told& e) {
  if (running(e.at) == nullptr || step_at(e.at.row) != step_kind::word)
    return;
  if (e.taken) {
    done(e.at.row, e.text);
    give_up_hold(at(e.at.row).object);
  } else {
    fail(e.at.row, e.text);
  }
}

void worker::take(const word_taken_back& e) {
  // If it is too late for that, the answer to the word itself comes yet.
  if (!e.back || running(e.at) == nullptr
      || step_at(e.at.row) != step_kind::word)
    return;
  if (halted().empty())
    fail(e.at.row, "not taken: "
                     + (w_.no_right.empty()
                          ? "the right to act was lost while it was judged"
                          : w_.no_right));
  else
    halt(e.at.row);
}

void worker::take(const held_up& e) {
  auto* r = running(e.at);
  if (r == nullptr)
    return;
  if (is_epo_off(s()) && step_at(e.at.row) == step_kind::power)
    turned_away(e.at.row, r->power, e.text);
  else
    fail(e.at.row, e.text);
}

void worker::take(const unanswered& e) {
  auto* r = running(e.at);
  if (r == nullptr)
    return;
  auto i = e.at.row;
  auto kind = step_at(i);
  if (is_job(kind))
    return; // jobs are told of, not answered
  if (kind == step_kind::wait) {
    take(probe_told{e.at, health::unknown});
  } else if (kind == step_kind::power && !is_reading(s().asked)) {
    auto text = fmt::format("{}; whether it was done is not known: look with "
                            "'orderly power status'",
                            e.text);
    say(entry_kind::alert, node_object(r->object), "power-lost", text);
    r->commanded = true;
    fail(i, std::move(text));
  } else if (kind == step_kind::power) {
    power_report report;
    report.evidence = e.text;
    take(power_told{e.at, std::move(report)});
  } else {
    fail(i, e.text);
  }
}

verdict step(state s, const event& e, const surroundings& w, instant now) {
  worker x{std::move(s), w, now};
  std::visit([&x](const auto& what) { x.take(what); }, e);
  x.settle();
  return std::move(x).result();
}

} // namespace orderly::errand
