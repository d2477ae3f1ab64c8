// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One event in a small cluster, for tests of its machine: what it wants is
// kept, and whoever answers is played by the test.

#pragma once

#include "actors/policy/maintenance/event.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>

namespace orderly::maintenance_test {

using namespace maintenance;

class life {
public:
  explicit life(event_action action, std::string original = R"({})") {
    record.name = "c";
    record.master = "n4";
    for (const auto* name : {"n1", "n2", "n3", "n4"}) {
      node_record n;
      n.name = name;
      n.uuid = std::string{"uuid-"} + name;
      n.group = "g1";
      record.nodes.push_back(n);
    }
    limits.mode = repair_mode::act;
    limits.evidence_max_age = minutes{10};
    limits.picture_max_age = minutes{1};
    limits.moves_parallel_max = 4;
    limits.retry_base = seconds{60};
    limits.retry_max = minutes{30};
    seen.turn = true;
    seen.slot = true;
    seen.searched = true;
    s = begin("U", record.nodes[0], action, std::move(original), "{}", now);
  }

  void add(const std::string& name, const std::string& home,
           const std::string& mirror,
           disk_template disks = disk_template::drbd) {
    instance_record i;
    i.name = name;
    i.primary = home;
    if (!mirror.empty())
      i.secondaries.push_back(mirror);
    i.disks = disks;
    record.instances.push_back(i);
    std::sort(record.instances.begin(), record.instances.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  node_record& node(std::size_t i = 0) { return record.nodes[i]; }

  instance_record& instance(const std::string& name) {
    return *std::find_if(record.instances.begin(), record.instances.end(),
                         [&](const auto& x) { return x.name == name; });
  }

  void feed(const event& e) {
    seen.around = std::make_shared<const event_surroundings>(around);
    auto v = step(s, e, seen, limits, now);
    s = std::move(v.next);
    asks.clear();
    for (auto& a : v.actions) {
      if (auto* x = std::get_if<ask_permit>(&a))
        asks.push_back(x->owner);
      if (auto* x = std::get_if<submit>(&a)) {
        sent.push_back(*x);
        if (!x->ops.empty() && x->ops[0].kind == op_kind::tags_set
            && x->ops[0].tags[0].find("repairready") != std::string::npos)
          ready_said.push_back({record_seen(), s.jobs.size()});
      }
      if (auto* x = std::get_if<withdraw>(&a))
        withdrawn.push_back(x->intent);
      if (auto* x = std::get_if<reply>(&a))
        said = x->answer;
      if (auto* x = std::get_if<tell>(&a); x && x->kind == entry_kind::alert)
        alerts.push_back(x->text);
      if (std::holds_alternative<ask_plan>(a))
        ++plans;
    }
    auto wanted = asks;
    for (const auto& owner : wanted)
      if (grants) {
        permit p;
        p.granted = true;
        feed(permit_answered{owner, p});
      }
  }

  /// A new reading of the cluster.
  void read() {
    now += seconds{5};
    seen.picture = std::make_shared<const cluster_record>(record);
    seen.read_at = now;
    feed(looked{});
  }

  /// Its node is drained, and i1 is on its way from there to its mirror.
  void send_move() {
    node().drained = true;
    add("i1", "n1", "n2");
    read();
    plan({{"i1", {{false, "n2"}}}});
    REQUIRE(sent.size() == 1);
  }

  void report(event_report::sight what) { feed(event_report{what, now}); }

  /// The last job that was sent ends so.
  void end(job_status status, const std::string& text = {}) {
    end(sent.back().intent, status, text);
  }

  void end(const intent_id& intent, job_status status,
           const std::string& text = {}) {
    now += seconds{1};
    job_event e;
    e.intent = intent;
    e.phase = job_phase::submitted;
    e.id = ++jobs;
    feed(e);
    e.phase = job_phase::ended;
    e.status = status;
    e.text = text;
    feed(e);
  }

  void plan(std::map<instance_name, std::vector<hop>> hops,
            std::map<instance_name, std::string> stuck = {}) {
    evacuation_answer x;
    x.planned = true;
    x.hops = std::move(hops);
    for (const auto& i : record.instances)
      x.from[i.name]
        = {i.primary, i.secondaries.empty() ? node_name{} : i.secondaries[0]};
    x.stuck = std::move(stuck);
    feed(planned{x});
  }

  void order(event_verb verb, std::optional<std::uint64_t> serial = {}) {
    feed(ordered{{"U", verb, "anna", serial}});
  }

  /// The picture at the moment in which success was said, and jobs by then.
  struct word {
    cluster_picture picture;
    std::size_t jobs = 0;
  };

  [[nodiscard]] cluster_picture record_seen() const { return seen.picture; }

  [[nodiscard]] op_kind last() const { return sent.back().ops.front().kind; }

  cluster_record record;
  event_facts seen;
  event_surroundings around; ///< as `seen` has it at each event
  rules limits;
  state s;
  instant now{hours{1000}};
  bool grants = true;
  std::vector<object_id> asks;
  std::vector<submit> sent;
  std::vector<word> ready_said;
  std::vector<intent_id> withdrawn;
  std::vector<std::string> alerts;
  event_order_answer said;
  int plans = 0;
  job_id jobs = 100;
};

} // namespace orderly::maintenance_test
