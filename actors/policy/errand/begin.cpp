// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What each step does first, or that it has nothing to do.

#include "actors/policy/errand/worker.hpp"
#include "actors/policy/settings/power_levels.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

constexpr const char* gone = "it is not in the cluster any more";

bool promotes(const state& s) {
  if (const auto* x = std::get_if<power_errand>(&s.asked.what))
    return x->auto_promote;
  return epo_of(s) != nullptr;
}

/// The serial number that the node's record has at most once our mark is set.
std::uint64_t last_of_ours(const node_record& node) {
  if (node.serial_no == 0)
    return 0;
  return node.serial_no + marked_once
         + (node.master_candidate ? 0 : promoted_once);
}

} // namespace

millis helper_limit(const state& s) {
  if (const auto* x = epo_of(s))
    return x->time_limit;
  if (const auto* x = std::get_if<power_errand>(&s.asked.what))
    return x->time_limit;
  return {};
}

std::string worker::by_whom() {
  const auto& asked = s().asked;
  auto who = asked.who.empty() ? std::string{"somebody"} : asked.who;
  return fmt::format("by {} ({}{}{})", who, s().id,
                     asked.reason.empty() ? "" : ": ", asked.reason);
}

/// An emergency power-off counts on: a row may begin anew, and the intents of
/// its jobs are to be other ones then.
void worker::begin_tries(index i) {
  if (!is_epo_off(s()))
    at(i).tries = 0;
}

/// Goes on to the first step that has something to do.
void worker::enter(index i) {
  auto& r = at(i);
  auto steps = steps_of(s(), r);
  for (; r.at < steps.size(); ++r.at, begin_tries(i)) {
    auto kind = steps[r.at];
    // A stop ends the row here, with two exceptions: a node that was switched is
    // still recorded so, and after an emergency power-off the instances that it
    // shut down are still marked down.
    auto is_down = kind == step_kind::start && is_epo_off(s());
    if (kind != step_kind::record && !is_down && !halted().empty()) {
      halt(i);
      return;
    }
    if (begin(i, kind))
      return;
  }
  r.at = steps.empty() ? 0 : static_cast<index>(steps.size()) - 1;
  done(i);
}

/// True if the row waits for an answer now, or is final. False: nothing to do.
bool worker::begin(index i, step_kind kind) {
  touch(i);
  switch (kind) {
  case step_kind::mark_offline:
    return begin_offline(i);
  case step_kind::power:
    return begin_power(i);
  case step_kind::record:
    return begin_record(i);
  case step_kind::shutdown:
    return begin_shutdown(i);
  case step_kind::start:
    return begin_start(i);
  case step_kind::wait:
    at(i).until = now_ + back_within;
    at(i).due = now_ + probe_first;
    return true;
  case step_kind::take_back:
    return begin_take_back(i);
  case step_kind::modify:
    return begin_modify(i);
  case step_kind::check:
    act(check_program{spot_of(i), at(i).object});
    return true;
  case step_kind::word:
    return begin_word(i);
  case step_kind::tag:
    return begin_tag(i);
  case step_kind::heed:
    return begin_heed(i);
  }
  return false;
}

millis worker::job_limit(index i) {
  auto limit = w_.rules->cluster.job_deadline;
  if (step_at(i) == step_kind::shutdown)
    limit = std::max(limit, epo_of(s())->shutdown_timeout + minutes{5});
  return limit;
}

void worker::order_job(index i, opcode op, std::string why) {
  order_jobs(i, {std::move(op)}, std::move(why));
}

void worker::order_jobs(index i, std::vector<opcode> ops, std::string why) {
  auto& r = at(i);
  if (!r.looking && lacks_right(i))
    return;
  auto x = spot_of(i);
  job_order order;
  order.intent = intent_of(s(), x);
  order.incident = s().id;
  // Of the object alone: what ended is forgotten with its next job.
  order.owner = "power:" + r.object;
  // Without opcodes it is only asked what became of it.
  if (!r.looking)
    order.ops = std::move(ops);
  order.why = fmt::format("{}, {}", why, by_whom());
  order.deadline = job_limit(i);
  // A setting replaces the tags that were read; all else names a node as it is.
  auto known_at = step_at(i) == step_kind::tag ? w_.read_at : now_;
  order.send_before = known_at + w_.rules->cluster.picture_max_age;
  r.until = now_ + sent_within;
  act(send_job{x, std::move(order)});
}

bool worker::begin_offline(index i) {
  auto& r = at(i);
  auto node = node_now(r);
  if (!node) {
    fail(i, gone);
    return true;
  }
  if (r.marked)
    return take_back_mark(i, *node);
  if (node->offline) {
    // A row that was at this step when the daemon died may have done that
    // itself, however long ago: what became of its job tells.
    auto perhaps = r.interrupted && !r.was_offline && !r.marked
                   && ((is_epo_off(s()) && r.own_until == 0)
                       || is_ours(*node, r.own_until));
    if (!perhaps || r.asked_after) {
      r.own_until = 0;
      return false;
    }
    r.asked_after = r.looking = true;
    order_job(i, opcode{}, "it is to be switched off");
    return true;
  }
  if (at(i).was_offline) {
    not_switched_off(i, in_service_text(s(), at(i), *node));
    return true;
  }
  if (auto why = overtaken(s(), r, node); !why.empty()) {
    if (!asks_after_its_job(i))
      not_switched_off(i, why);
    return true;
  }
  if (waits_for_moves(i, *node) || shut_out(i))
    return true;
  note_drain(*node);
  r.was_drained = node->drained; // Ganeti drops that with the mark
  opcode op;
  op.kind = op_kind::node_modify;
  op.node = node->name;
  op.offline = true;
  op.auto_promote = promotes(s());
  // The job of a step that was under way at a restart may have ended by now.
  if (!at(i).interrupted)
    at(i).own_until = last_of_ours(*node);
  order_job(i, std::move(op), "it is to be switched off");
  return true;
}

/// It was to be marked offline before it goes off, and is not by what is known.
/// A reading from before the mark does not show it, nor whose it is: then the
/// next one decides.
bool worker::lost_its_mark(index i, const node_record& node) {
  auto& r = at(i);
  auto why = in_service_text(s(), r, node);
  auto unread = w_.read_at <= r.moved;
  auto marked = r.marked || r.own_until != 0;
  if (why.empty() && !(unread && marked && is_epo_off(s())))
    return false;
  if (unread) {
    r.due = now_ + reading_pause;
    act(look_soon{});
    return true;
  }
  not_switched_off(i, why);
  return true;
}

void worker::not_switched_off(index i, const std::string& why) {
  const auto& r = at(i);
  auto text = "not switched off: " + why;
  say(entry_kind::outcome, node_object(r.object), "power-off",
      fmt::format("power-off of {} {}: {}", r.object, by_whom(), text));
  fail(i, std::move(text));
}

bool worker::begin_power(index i) {
  auto& r = at(i);
  auto node = node_now(r);
  if (!node) {
    fail(i, gone);
    return true;
  }
  if (w_.levels(*node).empty()) {
    fail(i, fmt::format("Node {} does not support OOB commands", node->name));
    return true;
  }
  auto acts = !r.looking && !orderly::is_reading(switch_verb(s()));
  if (acts
      && (lacks_right(i) || lost_its_mark(i, *node) || goes_back(i)
          || was_overtaken(i)))
    return true;
  if (acts && must_wait_for_acts(i))
    act(ask_risky{spot_of(i)});
  else
    command(i, *node);
  return true;
}

void worker::command(index i, const node_record& node) {
  auto& r = at(i);
  power_order order;
  order.node = node.name;
  order.uuid = node.uuid;
  order.programs = w_.levels(node);
  order.verb = r.looking ? power_verb::status : switch_verb(s());
  order.why
    = s().asked.reason.empty() ? request_text(s().asked) : s().asked.reason;
  order.who = s().asked.who.empty() ? "somebody" : s().asked.who;
  order.time_limit = helper_limit(s());
  if (!orderly::is_reading(order.verb)) {
    order.intent = intent_of(s(), spot_of(i));
    if (!r.commanded)
      r.was_on = w_.read_on->count(node.name) != 0;
    order.programs = w_.believed_first(node);
  }
  r.by = order.programs;
  act(give_power{spot_of(i), std::move(order)});
}

void worker::note_record(index i, bool before, bool after) {
  const auto& r = at(i);
  auto word = [](bool on) { return on ? "on" : "off"; };
  auto how = before == after
               ? fmt::format("stays {}", word(after))
               : fmt::format("{} -> {}", word(before), word(after));
  say(entry_kind::outcome, node_object(r.object), "power-record",
      fmt::format("power record of {} {}, {}{}{}", r.object, how, by_whom(),
                  r.evidence.empty() ? "" : ": ", r.evidence));
}

bool worker::begin_record(index i) {
  auto& r = at(i);
  auto node = node_now(r);
  if (!node) {
    fail(i, gone);
    return true;
  }
  auto wanted = switch_verb(s()) == power_verb::on;
  if (const auto* x = std::get_if<modify_errand>(&s().asked.what)) {
    if (!x->powered || keeps_power_record(*node))
      return false; // nothing asked, or done with the rest
    wanted = *x->powered;
  }
  if (wanted && waits_for_mark(i, *node))
    return true;
  if (node->powered == wanted) {
    note_record(i, wanted, wanted);
    return false;
  }
  if (auto why = against_record(s(), r, w_); !why.empty()) {
    fail(i, std::move(why));
    stays_away(i);
    return true;
  }
  if (!keeps_power_record(*node)) {
    act(keep_powered{node->name, wanted, node->uuid});
    note_record(i, !wanted, wanted);
    return false;
  }
  opcode op;
  op.kind = op_kind::node_modify;
  op.node = node->name;
  op.powered = wanted;
  order_job(i, std::move(op), r.evidence);
  return true;
}

bool worker::begin_shutdown(index i) {
  const auto* x = w_.instance(at(i).object);
  if (x == nullptr || x->admin != admin_state::up) {
    skip(i, x == nullptr ? gone : "it is not wanted up any more", true);
    return true;
  }
  // What was under way at a restart may have stopped it before it left.
  if (!std::exchange(at(i).interrupted, false) && is_left_running(i))
    return true;
  opcode op;
  op.kind = op_kind::instance_shutdown;
  op.instance = x->name;
  op.keep_wanted = true;
  at(i).home = x->primary;
  op.span = epo_of(s())->shutdown_timeout;
  order_job(i, std::move(op), "emergency power-off");
  return true;
}

bool worker::begin_start(index i) {
  if (is_epo_off(s()))
    return begin_again_elsewhere(i);
  auto no = against_start(
    s(), at(i), w_, [this](const node_name& name) { return node_now(name); });
  if (!no.why.empty()) {
    skip(i, std::move(no.why), no.met);
    return true;
  }
  opcode op;
  op.kind = op_kind::instance_startup;
  op.instance = at(i).object;
  order_job(i, std::move(op), "its nodes are back");
  return true;
}

bool worker::begin_modify(index i) {
  const auto& x = std::get<modify_errand>(s().asked.what);
  auto node = node_now(at(i));
  if (!node) {
    fail(i, gone);
    return true;
  }
  if (!overtaken(s(), at(i), node).empty() && asks_after_its_job(i))
    return true;
  if (was_overtaken(i))
    return true;
  opcode op;
  op.kind = op_kind::node_modify;
  op.node = node->name;
  op.offline = x.offline;
  op.program = x.program;
  if (keeps_power_record(*node))
    op.powered = x.powered;
  op.auto_promote = x.auto_promote;
  if (!op.offline && !op.program && !op.powered)
    return false;
  if (x.offline.value_or(false) && !node->offline && waits_for_moves(i, *node))
    return true;
  order_job(i, std::move(op), "node modify");
  return true;
}

bool worker::begin_word(index i) {
  if (lacks_right(i))
    return true;
  auto& r = at(i);
  r.text = fmt::format("its daemons and its controllers are asked first; that "
                       "may take up to {} min",
                       word_within / minutes{1});
  act(give_word{spot_of(i), word_of(i)});
  return true;
}

off_word worker::word_of(index i) {
  off_word word;
  word.node = at(i).object;
  // After a restart only whether it counts is asked: nobody watched the node.
  word.until = s().began + (s().resumed == never ? word_within : millis{0});
  word.who = s().asked.who;
  word.reason = s().asked.reason;
  const auto* asked = std::get_if<confirm_errand>(&s().asked.what);
  word.ignore_silence = asked != nullptr && asked->ignore_silence;
  word.ends_hold = gives_up_hold(word.node);
  return word;
}

} // namespace orderly::errand
