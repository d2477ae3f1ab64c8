// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What becomes of jobs, for the row that asked for one.

#include "actors/policy/base/commands.hpp"
#include "actors/policy/errand/worker.hpp"
#include "actors/policy/settings/power_levels.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::errand {

void worker::job_done(index i, step_kind kind) {
  const auto name = at(i).object;
  switch (kind) {
  case step_kind::mark_offline:
    if (at(i).marked) { // what was to go off is in service again
      act(amend{name, false, std::nullopt});
      wait_again(i);
      return;
    }
    note_mark(i);
    if (at(i).turned) { // it was in the queue when others did it by hand
      fail(i, fmt::format("not switched off: somebody took it out of service, "
                          "and back again meanwhile; if it is marked offline "
                          "all the same: {}",
                          way_back(at(i))));
      return;
    }
    // A job from before a restart may have ended long ago, and somebody took
    // the mark away since: a reading tells.
    if (!at(i).interrupted)
      act(amend{name, true, std::nullopt});
    break;
  case step_kind::take_back:
    act(amend{name, false, std::nullopt});
    break;
  case step_kind::record: {
    auto on = switch_verb(s()) == power_verb::on;
    act(amend{name, std::nullopt, on});
    note_record(i, !on, on);
    if (!on && w_.doubt_of(name, at(i).read_by) > 0) {
      // Caught while the job was under way.
      fail(i, fmt::format("{}; it is recorded off all the same: 'orderly node "
                          "modify --powered=yes {}' takes that back",
                          unbelieved_text(at(i).read_by), name));
      return;
    }
    break;
  }
  case step_kind::modify: {
    const auto& x = std::get<modify_errand>(s().asked.what);
    auto node = node_now(name);
    act(amend{name, x.offline, x.powered});
    if (x.powered && node && keeps_power_record(*node))
      note_record(i, node->powered, *x.powered);
    break;
  }
  default:
    break;
  }
  advance(i);
}

/// Shall our own queue be asked once more?
bool worker::tries_again(index i, step_kind kind) {
  const auto& r = at(i);
  if (kind != step_kind::record && !halted().empty())
    return false;
  auto age = now_ - r.moved;
  if (kind == step_kind::record || epo_of(s()) != nullptr)
    return age < queued_within;
  return r.tries + 1 < untried_max && age < untried_within;
}

/// Nobody can say how the job of its mark ended, or will.
void worker::perhaps_marked(index i, const std::string& text) {
  fail(i, fmt::format("was not switched off, and may be marked offline all the "
                      "same: {}; look, and take it back: {}",
                      text, way_back(at(i))));
}

/// A job failed, or was not even sent.
void worker::came_to_nothing(index i, step_kind kind, const std::string& text) {
  const auto& r = at(i);
  auto against
    = kind == step_kind::record ? against_record(s(), r, w_) : std::string{};
  if (kind == step_kind::mark_offline && r.marked) {
    fail(i, fmt::format("not switched off: {}, and it could not be taken back "
                        "into service for that: {}; undo it: orderly epo "
                        "--on {}",
                        came_since(s(), r, w_), text, r.object));
  } else if (kind == step_kind::mark_offline) {
    fail(i, fmt::format("could not be marked offline, and was not switched "
                        "off: {}",
                        text));
  } else if (!against.empty()) {
    fail(i, std::move(against));
    stays_away(i);
  } else if (kind == step_kind::record) {
    auto told = fmt::format("{}, but that could not be recorded: {}; 'orderly "
                            "node modify --powered' does",
                            r.evidence, text);
    say(entry_kind::alert, node_object(r.object), "power-record", told);
    fail(i, std::move(told));
  } else if (kind == step_kind::take_back) {
    fail(i, fmt::format("is back, but could not be taken back into service: {}",
                        text));
  } else if (kind == step_kind::start && is_epo_off(s())) {
    // It keeps nothing on, for it is on none of the nodes.
    auto told = fmt::format("{} was shut down on {}, which stays on, and could "
                            "not be started again: {}; 'gnt-instance startup "
                            "{}' does",
                            r.object, r.home, text, r.object);
    say(entry_kind::alert, instance_object(r.object), "errand-astray", told);
    end(i, row_state::failed, true, std::move(told));
  } else {
    fail(i, text.empty() ? "the job failed without a reason" : text);
  }
}

void worker::take(const job_told& e) {
  auto* r = running(e.at);
  if (r == nullptr || !is_job(step_at(e.at.row)))
    return;
  auto i = e.at.row;
  auto kind = step_at(i);
  auto looked = std::exchange(r->looking, false);
  if (looked)
    touch(i);
  if (e.done) {
    job_done(i, kind);
  } else if ((e.refused || e.canceled) && kind != step_kind::record
             && !halted().empty()) {
    halt(i); // it did not begin
  } else if (e.canceled && kind == step_kind::shutdown
             && !gone_astray(s(), *r, w_).empty()) {
    is_left_running(i);
  } else if (looked && e.refused) {
    // It was not sent before the restart.
    if (!begin(i, kind))
      advance(i);
  } else if (e.untried && tries_again(i, kind)) {
    ++r->tries;
    r->due = now_ + untried_pause;
    touch(i);
  } else if (e.open && kind == step_kind::mark_offline) {
    perhaps_marked(i, e.text);
  } else {
    came_to_nothing(i, kind, e.text);
  }
}

void worker::take(const job_queued& e) {
  auto* r = running(e.at);
  if (r != nullptr && is_job(step_at(e.at.row)))
    r->until = now_ + job_limit(e.at.row) + minutes{1};
}

} // namespace orderly::errand
