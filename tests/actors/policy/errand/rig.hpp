// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A small cluster and an errand in it: the test says what happens, the rig
// does with the answers what the desk would do.

#pragma once

#include "actors/policy/errand/book.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <stdexcept>

namespace orderly::errand {

struct rig {
  cluster_record cluster;
  settings rules;
  std::map<node_name, amendment> amended;
  std::map<node_name, std::string> recorded_off;
  std::map<node_name, hold> holds;
  std::map<node_name, power_wish> wishes;
  std::map<intent_id, power_report> endings; ///< that the switch has told
  std::map<node_name, intent_id> given;      ///< whose intents are on disk
  std::map<node_name, rehearsal> rehearsals;
  std::map<node_name, instant> read_on;
  std::map<node_name, instant> read_off;
  std::map<node_name, std::vector<std::string>> doubted;
  std::map<node_name, errand_id> busy;
  std::size_t acting = 0;
  std::size_t reading = 0;
  /// When the last reading was begun; not set: just now, all the time.
  std::optional<instant> read_at;
  std::string no_right;
  instant no_right_since;
  std::string watcher_awake;
  instant now = from_ms(1'000'000);
  state s;
  std::deque<action> todo; ///< questions and jobs that are not answered yet
  std::vector<tell> told;
  std::vector<intent_id> called_back;
  std::vector<power_withdraw> taken_back;
  std::size_t looks = 0; ///< that the cluster be read soon
  /// What holds a permit to fail over or reinstall; not set: nobody says.
  std::optional<risky_acts> risky = risky_acts{};
  std::size_t questions = 0; ///< about that

  /// m is the master; n1 .. n3 have the cluster's helper, bare has none.
  rig() {
    cluster.master = "m";
    for (const char* name : {"bare", "m", "n1", "n2", "n3"}) {
      node_record x;
      x.name = name;
      x.group = "g1";
      x.oob_program = "/usr/bin/oob";
      cluster.nodes.push_back(x);
    }
    cluster.nodes[0].oob_program.clear();
    cluster.nodes[4].group = "g2";
    cluster.groups = {{"g1", "", {}}, {"g2", "", {}}};
  }

  node_record& node(const std::string& name) {
    for (auto& x : cluster.nodes)
      if (x.name == name)
        return x;
    throw std::logic_error(name);
  }

  void add_instance(const std::string& name, const std::string& primary,
                    std::vector<std::string> secondaries = {}) {
    instance_record x;
    x.name = name;
    x.primary = primary;
    x.secondaries = std::move(secondaries);
    cluster.instances.push_back(std::move(x));
  }

  [[nodiscard]] surroundings look() const {
    surroundings w;
    w.picture = std::make_shared<const cluster_record>(cluster);
    w.rules = &rules;
    w.amended = &amended;
    w.recorded_off = &recorded_off;
    w.holds = &holds;
    w.wishes = &wishes;
    w.rehearsals = &rehearsals;
    w.read_on = &read_on;
    w.read_off = &read_off;
    w.doubted = &doubted;
    w.busy = &busy;
    w.acting = acting;
    w.reading = reading;
    w.read_at = read_at.value_or(now + millis{1});
    w.no_right = no_right;
    w.no_right_since = no_right_since;
    w.watcher_awake = watcher_awake;
    return w;
  }

  static errand_request request(decltype(errand_request::what) what) {
    errand_request x;
    x.what = std::move(what);
    x.who = "bob";
    x.reason = "fan broken";
    return x;
  }

  static power_errand power(power_verb verb, std::vector<node_name> nodes) {
    power_errand x;
    x.verb = verb;
    x.nodes = std::move(nodes);
    return x;
  }

  /// Why it is refused; empty if it is not.
  [[nodiscard]] refusal refused(const errand_request& x) const {
    auto answer = plan(x, look(), now);
    const auto* why = std::get_if<refusal>(&answer);
    return why == nullptr ? refusal{} : *why;
  }

  rig& begin(const errand_request& x) {
    write_down(x);
    if (s.ended == never)
      feed(begun{});
    return *this;
  }

  /// Planned, and nothing of it begun.
  rig& write_down(const errand_request& x) {
    auto answer = plan(x, look(), now);
    if (auto* why = std::get_if<refusal>(&answer))
      throw std::logic_error(why->text);
    s = std::move(std::get<state>(answer));
    s.id = "power-7";
    return *this;
  }

  void apply(const action& x) {
    if (const auto* a = std::get_if<amend>(&x)) {
      // The cluster is read anew at once.
      node(a->node).offline = a->offline.value_or(node(a->node).offline);
      node(a->node).powered = a->powered.value_or(node(a->node).powered);
    } else if (const auto* p = std::get_if<keep_powered>(&x)) {
      recorded_off.erase(p->node);
      if (!p->powered)
        recorded_off.emplace(p->node, p->uuid);
    } else if (const auto* h = std::get_if<take_hold>(&x)) {
      holds.insert_or_assign(h->node, h->what);
    } else if (const auto* l = std::get_if<lift_hold>(&x)) {
      holds.erase(l->node);
    } else if (const auto* t = std::get_if<tell>(&x)) {
      told.push_back(*t);
    } else if (const auto* c = std::get_if<call_back>(&x)) {
      called_back.push_back(c->intent);
    } else if (const auto* w = std::get_if<take_power_back>(&x)) {
      taken_back.push_back(w->what);
    } else if (std::holds_alternative<look_soon>(x)) {
      ++looks;
    } else if (const auto* q = std::get_if<ask_risky>(&x); q && risky) {
      ++questions;
      feed(risky_told{q->at, *risky});
    } else {
      todo.push_back(x);
    }
  }

  rig& feed(const event& e) {
    auto v = step(std::move(s), e, look(), now);
    s = std::move(v.next);
    for (const auto& x : v.actions)
      apply(x);
    return *this;
  }

  bool aged = false;  ///< as in `recalled`
  millis unwatched{}; ///< before a restart nobody watched for so long

  /// A restart: what was asked is lost, the state comes from the journal.
  rig& restart(instant adopted = never) {
    todo.clear();
    auto kept = head_from_fields(s.id, head_to_fields(s));
    for (std::uint32_t i = 0; i < blocks_of(s); ++i)
      block_from_fields(kept, i, block_to_fields(s, i));
    date(kept, now, aged, {});
    s = std::move(kept);
    return feed(resumed{adopted, endings, given, now - unwatched});
  }

  /// Time goes by; what falls due meanwhile is told.
  rig& wait(millis span) {
    auto end = now + span;
    for (int turns = 0; turns < 1000; ++turns) {
      auto due = due_at(s, look(), now);
      if (due == never || due > end)
        break;
      now = std::max(now, due);
      feed(woken{});
    }
    now = end;
    return *this;
  }

  [[nodiscard]] const row& of(const std::string& object) const {
    for (const auto& r : s.rows)
      if (r.object == object)
        return r;
    throw std::logic_error("no row of " + object);
  }

  [[nodiscard]] row_state how(const std::string& object) const {
    return of(object).state;
  }

  /// The open action of this kind about that object, taken from the list.
  template <class Action>
  Action take(const std::string& object) {
    for (auto i = todo.begin(); i != todo.end(); ++i)
      if (auto* x = std::get_if<Action>(&*i);
          x != nullptr && s.rows.at(x->at.row).object == object) {
        auto result = *x;
        todo.erase(i);
        return result;
      }
    throw std::logic_error("nothing of that kind is asked of " + object);
  }

  template <class Action>
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
      std::count_if(todo.begin(), todo.end(), [](const action& x) {
        return std::holds_alternative<Action>(x);
      }));
  }

  // --- answers, which return what was asked --------------------------------

  opcode job(const std::string& object, bool done = true,
             const std::string& text = {}) {
    auto x = take<send_job>(object);
    feed(job_told{x.at, done, false, text});
    return x.order.ops.at(0);
  }

  power_order report(const std::string& object, power_state seen,
                     bool confirmed = true, const std::string& complaint = {},
                     bool commanded = true) {
    auto x = take<give_power>(object);
    if (!orderly::is_reading(x.order.verb)) {
      wishes[object].wanted
        = x.order.verb == power_verb::off ? power_state::off : power_state::on;
      wishes[object].at = now;
    }
    power_report r;
    r.node = object;
    r.verb = x.order.verb;
    r.state = seen;
    r.confirmed = confirmed;
    r.commanded = commanded;
    r.complaint = complaint;
    r.evidence = confirmed ? std::string{"status read "} + to_string(seen) : "";
    feed(power_told{x.at, std::move(r)});
    return x.order;
  }

  /// Our own queue does not try it.
  rig& untried(const std::string& object) {
    auto x = take<send_job>(object);
    return feed(job_told{x.at, false, true, "too many jobs", true});
  }

  /// It is no more in the queue than it ever was.
  rig& never_sent(const std::string& object) {
    auto x = take<send_job>(object);
    return feed(job_told{x.at, false, false, "it was never sent", true});
  }

  errand_request epo_of(std::vector<node_name> names) {
    epo_errand x;
    x.names = std::move(names);
    return request(std::move(x));
  }

  /// The right to act is gone, from now on.
  rig& lose_right() {
    no_right = "the master is n3";
    no_right_since = now;
    return *this;
  }

  /// The switch does as it is told.
  power_order switched(const std::string& object) {
    auto verb = verb_asked(object);
    return report(object,
                  verb == power_verb::off ? power_state::off : power_state::on);
  }

  power_verb verb_asked(const std::string& object) {
    for (const auto& x : todo)
      if (const auto* p = std::get_if<give_power>(&x);
          p != nullptr && p->order.node == object)
        return p->order.verb;
    throw std::logic_error("the switch is not asked about " + object);
  }

  rig& probed(const std::string& object, health verdict) {
    auto x = take<probe>(object);
    return feed(probe_told{x.at, verdict});
  }

  [[nodiscard]] bool has_remark(const std::string& part) const {
    return std::any_of(s.remarks.begin(), s.remarks.end(), [&](const auto& x) {
      return x.find(part) != std::string::npos;
    });
  }

  [[nodiscard]] bool has_told(const std::string& code,
                              const std::string& part) const {
    return std::any_of(told.begin(), told.end(), [&](const tell& x) {
      return x.code == code && x.text.find(part) != std::string::npos;
    });
  }
};

} // namespace orderly::errand
