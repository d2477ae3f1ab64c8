// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// May a node be switched on? Not while a failover or reinstallation is under
// way that relies on its being off: its boot could start what is started
// elsewhere. Nothing new relies on it from the acceptance of the order on, and
// what has not begun is called back by its owner; what runs is waited for, but
// not for ever, and not if the person said so (`--ignore-status`).
//
// What is under way is known from the permits that are out, and, for what began
// in an earlier life or was given up by its owner, from the queue.

#include "actors/policy/base/intents.hpp"
#include "actors/policy/base/utc.hpp"
#include "actors/policy/errand/worker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

using acts = std::map<instance_name, std::string>; ///< and what each is called

bool has(const std::vector<node_name>& all, const node_name& name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

bool holds_copy(const instance_record* x, const node_name& node) {
  return x != nullptr && (x->primary == node || has(x->secondaries, node));
}

/// A failover relies on the home being off, a reinstallation on all that hold
/// a copy.
void add_permits(acts& to, const risky_acts& known, const node_name& node,
                 const surroundings& w) {
  for (const auto& x : known.acts) {
    auto wipes = x.act == act_kind::reinstall;
    for (const auto& name : x.instances)
      if (has(x.leaves, node) || (wipes && holds_copy(w.instance(name), node)))
        to.emplace(name, wipes ? "reinstallation" : "failover");
  }
}

/// Jobs of ours are named for what they do, not for the home that is left: by
/// the record that may be the other node already.
void add_jobs(acts& to, const risky_acts& known, const node_name& node,
              const surroundings& w) {
  std::set<instance_name> permitted;
  for (const auto& x : known.acts)
    permitted.insert(x.instances.begin(), x.instances.end());
  for (const auto& job : w.picture->jobs) {
    auto act = act_of(intent_in_trail(job.reason));
    auto wipes = act == act_kind::reinstall;
    if (!wipes && act != act_kind::failover)
      continue;
    for (const auto& name : job.instances)
      if (permitted.count(name) == 0 && holds_copy(w.instance(name), node))
        to.emplace(name,
                   fmt::format("{} (job {})",
                               wipes ? "reinstallation" : "failover", job.id));
  }
}

} // namespace

bool waits_for_acts(const state& s, const row& r) {
  auto steps = steps_of(s, r);
  return r.state == row_state::running && r.at < steps.size()
         && steps[r.at] == step_kind::power && r.until != never;
}

bool worker::must_wait_for_acts(index i) const {
  const auto& x = v_.next;
  const auto* asked = std::get_if<power_errand>(&x.asked.what);
  auto forced = asked != nullptr && !asked->mark_offline;
  return raises(x) && !forced && x.rows[i].kind == row_kind::node;
}

/// What has to end before the node goes on, a clause; empty: nothing.
std::string worker::relied_upon(index i, const risky_acts& x) const {
  const auto& node = v_.next.rows[i].object;
  if (!x.known)
    return "the scheduler, which does not answer";
  // Permits from before a restart are asked for again with the first reading.
  if (w_.read_at <= v_.next.resumed)
    return "a reading of the cluster since the restart of orderlyd";
  acts found;
  add_permits(found, x, node, w_);
  add_jobs(found, x, node, w_);
  if (found.empty())
    return {};
  std::vector<std::string> names;
  for (const auto& [instance, what] : found)
    names.push_back(fmt::format("the {} of {}", what, instance));
  return fmt::format("{}, which rel{} on {} being off", some_of(names),
                     names.size() == 1 ? "ies" : "y", node);
}

void worker::wait_for_acts(index i, std::string why) {
  auto& r = at(i);
  auto verb = to_string(switch_verb(s()));
  auto forced = fmt::format("orderly power {} {} --ignore-status",
                            switch_verb(s()) == power_verb::on ? "on" : "cycle",
                            r.object);
  if (r.until == never) {
    r.until = now_ + relied_within;
    act(look_soon{});
  }
  if (now_ >= r.until) {
    auto text = fmt::format(
      "not switched: waited {} min for {}. Look with 'gnt-job "
      "list' and 'orderly explain {}', and ask again when it has "
      "ended; '{}' does not wait, and is safe only if {} starts "
      "nothing by itself",
      relied_within / minutes{1}, why, r.object, forced, r.object);
    say(entry_kind::alert, node_object(r.object), "power-given-up",
        fmt::format("{} of {} {}: {}", verb, r.object, by_whom(), text));
    fail(i, std::move(text));
    return;
  }
  if (r.text != why) {
    say(entry_kind::decision, node_object(r.object), "power-waits",
        fmt::format("{} of {} {} waits for {}; at most until {}, and '{}' does "
                    "not wait",
                    verb, r.object, by_whom(), why, utc_text(r.until), forced));
    r.text = std::move(why);
    touch(i);
  }
  r.due = now_ + relied_pause;
}

void worker::take(const risky_told& e) {
  auto* r = running(e.at);
  if (r == nullptr || step_at(e.at.row) != step_kind::power || r->due != never)
    return;
  auto i = e.at.row;
  auto node = node_now(*r);
  if (!halted().empty()) {
    halt(i);
  } else if (!node) {
    fail(i, "it is not in the cluster any more");
  } else if (auto why = relied_upon(i, e.what); !why.empty()) {
    wait_for_acts(i, std::move(why));
  } else if (r->until == never) {
    command(i, *node);
  } else if (places_taken(s()) >= places(s(), w_)) {
    r->due = now_ + relied_pause; // others took its place meanwhile
  } else {
    r->until = never;
    r->text.clear();
    touch(i);
    command(i, *node);
  }
}

} // namespace orderly::errand
