// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The balance machine with a small cluster before it: nodes n1 to n6 of group
// g, and drbd instances on pairs of them. What it says is carried out in words.

#pragma once

#include "actors/policy/balance/balance.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace orderly::balance {

class rig {
public:
  rig() {
    limits.enabled = true;
    limits.interval = minutes{5};
    limits.hold_pause = minutes{1};
    limits.moves_max = 20;
    limits.picture_max_age = seconds{60};
    limits.retry_base = minutes{10};
    limits.retry_max = hours{24};
    seen.able = true;
    for (const auto* name : {"n1", "n2", "n3", "n4", "n5", "n6"}) {
      node_record x;
      x.name = name;
      x.group = "g";
      cluster.nodes.push_back(x);
    }
    add("a", "n1", "n2");
    add("b", "n1", "n2");
    add("c", "n3", "n4");
    group_record g;
    g.name = "g";
    cluster.groups.push_back(g);
    publish();
    feed(looked{});
  }

  void add(const char* name, const char* primary, const char* secondary) {
    instance_record x;
    x.name = name;
    x.primary = primary;
    x.secondaries = {secondary};
    x.disks = disk_template::drbd;
    cluster.instances.push_back(x);
  }

  instance_record& instance(const std::string& name) {
    return *std::find_if(cluster.instances.begin(), cluster.instances.end(),
                         [&](const auto& x) { return x.name == name; });
  }

  node_record& node(const std::string& name) {
    return *std::find_if(cluster.nodes.begin(), cluster.nodes.end(),
                         [&](const auto& x) { return x.name == name; });
  }

  /// The cluster is read as it is now.
  void publish() {
    now += seconds{1};
    seen.picture = std::make_shared<const cluster_record>(cluster);
    seen.read_at = now;
  }

  /// ... and the machine is told.
  void read() {
    publish();
    feed(looked{});
  }

  void feed(const event& e) {
    last = step(s, e, seen, limits, now);
    s = last.next;
    for (const auto& x : last.actions)
      if (const auto* row = std::get_if<tell>(&x))
        story.push_back(row->instance + " " + row->text);
    if (!last.why.empty())
      story.push_back(last.why);
  }

  /// The action of this kind in the last verdict.
  template <class Action>
  [[nodiscard]] std::optional<Action> said() const {
    for (const auto& x : last.actions)
      if (const auto* found = std::get_if<Action>(&x))
        return *found;
    return std::nullopt;
  }

  template <class Action>
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
      std::count_if(last.actions.begin(), last.actions.end(),
                    [](auto& x) { return std::holds_alternative<Action>(x); }));
  }

  /// Until the next round is due; the cluster is read then.
  void wait(millis span) {
    now += span;
    read();
  }

  void answer_view(view_news x = {}) {
    feed(viewed{s.question, true, std::move(x)});
  }

  void answer_model(std::vector<node_name> silent = {}) {
    feed(model_read{s.question, true, std::move(silent), {}, {}});
  }

  static planned_move move_of(const char* name, instance_place from,
                              instance_place to, std::uint32_t wave = 0) {
    planned_move m;
    m.instance = name;
    m.from = std::move(from);
    m.to = std::move(to);
    m.wave = wave;
    m.score = 2.98;
    m.gain = 0.23;
    m.why = "reserved_mem_cv -0.0310";
    opcode op;
    op.kind = op_kind::instance_migrate;
    op.instance = name;
    m.ops = {op};
    return m;
  }

  static plan_answer plan_of(std::vector<planned_move> moves) {
    plan_answer plan;
    plan.planned = true;
    plan.moves = std::move(moves);
    plan.groups = {{"g", 3.21, plan.moves.empty() ? 3.21 : 2.98, 1, false}};
    return plan;
  }

  void answer_plan(std::vector<planned_move> moves) {
    feed(planned{s.question, plan_of(std::move(moves))});
  }

  /// From rest to a round with these moves.
  void begin(std::vector<planned_move> moves) {
    wait(minutes{5});
    answer_view();
    answer_model();
    answer_plan(std::move(moves));
  }

  static planned_move swap_a() {
    return move_of("a", {"n1", "n2"}, {"n2", "n1"});
  }

  static planned_move swap_c() {
    return move_of("c", {"n3", "n4"}, {"n4", "n3"});
  }

  /// The permit, and a mirror that is well.
  void grant(const char* name) {
    permit p;
    p.granted = true;
    feed(permit_answered{name, p});
    if (said<ask_mirror>())
      feed(mirror_answered{name, now, true, {}});
  }

  /// The permit alone.
  void permit_only(const char* name) {
    permit p;
    p.granted = true;
    feed(permit_answered{name, p});
  }

  void doubt(const char* name, const char* why) {
    feed(mirror_answered{name, now, false, why});
  }

  void refuse(const char* name, const char* why, bool taken) {
    permit p;
    p.why = why;
    p.taken = taken;
    p.retry_at = now + seconds{5};
    feed(permit_answered{name, p});
  }

  [[nodiscard]] const move* open(const std::string& name) const {
    for (const auto& m : s.open)
      if (m.what.instance == name)
        return &m;
    return nullptr;
  }

  void job(const intent_id& intent, job_phase phase,
           job_status status = job_status::success, std::string text = {},
           bool untried = false) {
    job_event e;
    e.untried = untried;
    e.intent = intent;
    e.phase = phase;
    e.id = phase == job_phase::refused ? 0 : 7;
    e.status = status;
    e.text = std::move(text);
    e.at = now;
    feed(e);
  }

  rules limits;
  facts seen;
  cluster_record cluster;
  instant now{hours{470'000}};
  state s;
  verdict last;
  std::vector<std::string> story;
};

} // namespace orderly::balance
