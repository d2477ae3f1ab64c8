// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which nodes an emergency power-off keeps automation off, and until when:
// until they are back, until it turns out that they were left on, or until a
// person who tried to bring one back vouches that it is off.

#include "actors/policy/errand/worker.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace orderly::errand {

bool worker::is_off(const node_record& node) const {
  return !node.powered && w_.read_on->count(node.name) == 0;
}

/// The way back is to leave the node, if an epo takes it, as this one found it.
/// One that did not return, and is ordered off as it hangs, has not returned.
void worker::renew_hold(const node_name& name, const hold& before,
                        const std::optional<node_record>& node) {
  auto what = before;
  if (node && is_epo_off(s())) {
    what.unreturned = false;
    what.was_offline = what.was_offline && node->offline;
    what.was_off = what.was_off && is_off(*node);
    what.was_drained = node->offline ? what.was_drained : node->drained;
  } else if (node) {
    what.was_off = what.was_off || !is_off(*node);
  }
  if (!(what == before))
    act(take_hold{name, std::move(what)});
}

/// Before anything of an epo: automation keeps off its nodes.
void worker::hold_nodes() {
  auto takes = is_epo_off(s());
  if (!takes && verb_of(s().asked) != power_verb::off)
    return;
  for (const auto& r : s().rows) {
    if (r.kind != row_kind::node)
      continue;
    auto node = node_now(r);
    if (auto held = w_.holds->find(r.object); held != w_.holds->end()) {
      renew_hold(r.object, held->second, node);
      continue;
    }
    if (!takes || !node)
      continue;
    hold what;
    what.who = s().asked.who;
    what.why = s().asked.reason;
    what.errand = s().id;
    what.uuid = node->uuid;
    what.was_offline = node->offline;
    what.was_off = is_off(*node);
    what.was_drained = node->drained;
    what.at = now_;
    act(take_hold{r.object, what});
    say(entry_kind::decision, node_object(r.object), codes::hold,
        fmt::format("emergency power-off {}: automation leaves {} alone",
                    by_whom(), r.object));
  }
}

/// Nodes that are back, and whose instances were seen to, are automation's
/// again.
void worker::lift_holds() {
  if (!is_epo_on(s()))
    return;
  std::set<index> needed;
  for (const auto& r : s().rows)
    if (!is_final(r.state))
      needed.insert(r.needs.begin(), r.needs.end());
  for (index i = 0; i < s().rows.size(); ++i) {
    auto& r = at(i);
    if (r.kind != row_kind::node || !is_final(r.state) || !r.met || r.lifted
        || needed.count(i) != 0)
      continue;
    r.lifted = true;
    touch(i);
    if (w_.holds->count(r.object) == 0)
      continue;
    act(lift_hold{r.object});
    say(entry_kind::decision, node_object(r.object), codes::hold_lifted,
        fmt::format("{} {} the emergency power-off, {}: automation looks after "
                    "it again",
                    r.object,
                    r.state == row_state::skipped ? "is left as it is after"
                                                  : "is back after",
                    by_whom()));
  }
}

bool worker::is_left_on(const row& r) const {
  // What we marked offline is put back by `epo --on`, which goes by the hold;
  // and whoever asked for one that was interrupted long ago looks first.
  if (r.kind != row_kind::node || !is_final(r.state) || r.met || r.marked
      || !v_.next.interrupted.empty())
    return false;
  auto held = w_.holds->find(r.object);
  if (held == w_.holds->end() || held->second.errand != v_.next.id)
    return false;
  auto steps = steps_of(v_.next, r);
  auto before_power = std::find(steps.begin(), steps.end(), step_kind::power)
                      > steps.begin() + r.at;
  return r.state == row_state::skipped
         || (r.state == row_state::failed && (before_power || r.vain));
}

/// Nodes that this emergency power-off took and did not switch off.
void worker::end_vain_holds() {
  if (!is_epo_off(s()))
    return;
  for (const auto& r : s().rows) {
    if (!is_left_on(r))
      continue;
    act(lift_hold{r.object});
    say(entry_kind::decision, node_object(r.object), codes::hold_lifted,
        fmt::format("{} was not switched off by the emergency power-off, {}: "
                    "automation looks after it again",
                    r.object, by_whom()));
  }
}

/// With what this very event changed about it; nothing: it is not held.
std::optional<hold> worker::hold_now(const node_name& node) const {
  for (auto i = v_.actions.rbegin(); i != v_.actions.rend(); ++i)
    if (const auto* taken = std::get_if<take_hold>(&*i);
        taken != nullptr && taken->node == node)
      return taken->what;
  auto held = w_.holds->find(node);
  return held == w_.holds->end() ? std::nullopt : std::optional{held->second};
}

/// The offline mark takes the place of the drained one, which may have been set
/// or taken away since the hold was taken.
void worker::note_drain(const node_record& node) {
  auto held = hold_now(node.name);
  if (!is_epo_off(s()) || !held || held->was_drained == node.drained)
    return;
  held->was_drained = node.drained;
  act(take_hold{node.name, *std::move(held)});
}

/// The job that takes it back into service, as it was found.
opcode worker::return_job(const node_record& node) const {
  auto held = hold_now(node.name);
  opcode op;
  op.node = node.name;
  if (held && held->was_drained) {
    // In one step, so that nothing is placed there in between.
    op.kind = op_kind::node_set_drained;
    op.flag = true;
  } else {
    op.kind = op_kind::node_modify;
    op.offline = false;
    op.auto_promote = true;
  }
  return op;
}

bool worker::begin_take_back(index i) {
  auto& r = at(i);
  auto node = node_now(r);
  if (!node) {
    fail(i, "it is not in the cluster any more");
    return true;
  }
  if (!node->offline)
    return false;
  if (!overtaken(s(), r, node).empty() && asks_after_its_job(i))
    return true;
  if (was_overtaken(i))
    return true;
  auto held = w_.holds->find(r.object);
  if (held != w_.holds->end() && held->second.was_offline) {
    r.text = "is on; it was offline before the emergency power-off, and stays "
             "so";
    return false;
  }
  // Where there is none at all, they may have been lost with a journal.
  if (held == w_.holds->end() && !w_.holds->empty()) {
    r.text = fmt::format("is on; no emergency power-off holds it, and it stays "
                         "out of service: 'orderly node modify --offline=no "
                         "{}' takes it back",
                         r.object);
    return false;
  }
  if (held != w_.holds->end() && held->second.was_drained)
    r.text = fmt::format("is back; it was drained when it was marked offline, "
                         "and is not any more: 'gnt-node modify --drained=yes "
                         "{}' drains it again",
                         r.object);
  opcode op;
  op.kind = op_kind::node_modify;
  op.node = node->name;
  op.offline = false;
  op.auto_promote = true;
  order_job(i, std::move(op), "it is back");
  return true;
}

/// Its mark is ours: who asks once more need not look whether it lives.
void worker::note_mark(index i) {
  at(i).marked = true;
  auto held = hold_now(at(i).object);
  if (!held || held->own_until == at(i).own_until)
    return;
  held->own_until = at(i).own_until;
  act(take_hold{at(i).object, *std::move(held)});
}

/// What runs there is not known: who asks once more looks, too.
void worker::doubt_mark(index i) {
  auto held = hold_now(at(i).object);
  if (!held || held->own_until == 0)
    return;
  held->own_until = 0;
  act(take_hold{at(i).object, *std::move(held)});
}

/// It was told to switch on, and has not come back.
void worker::stays_away(index i) {
  auto held = w_.holds->find(at(i).object);
  if (!is_epo_on(s()) || at(i).state != row_state::failed
      || held == w_.holds->end() || held->second.unreturned)
    return;
  auto what = held->second;
  what.unreturned = true;
  what.unreturned_at = now_;
  what.off_since_then = false;
  act(take_hold{held->first, std::move(what)});
}

bool worker::gives_up_hold(const node_name& node) const {
  for (const auto& x : v_.actions)
    if (const auto* taken = std::get_if<take_hold>(&x);
        taken != nullptr && taken->node == node)
      return taken->what.unreturned;
  auto held = w_.holds->find(node);
  return held != w_.holds->end() && held->second.unreturned;
}

/// A person tried to bring it back, and says now that it is off.
void worker::give_up_hold(const node_name& node) {
  if (!gives_up_hold(node))
    return;
  act(lift_hold{node});
  say(entry_kind::decision, node_object(node), codes::hold_lifted,
      fmt::format("{} did not come back after the emergency power-off, and is "
                  "off by the word of a person, {}: automation looks after it "
                  "again",
                  node, by_whom()));
}

} // namespace orderly::errand
