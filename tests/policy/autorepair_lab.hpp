// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One instance, four nodes and a job queue in memory, to run the autorepair
// machine against. Used by the autorepair tests.

#pragma once

#include "actors/policy/autorepair.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace orderly::autorepair::lab {

inline constexpr instant start_time{seconds{1700000000}};

inline std::string tagged(const std::string& rest) {
  return std::string{tags::prefix} + rest;
}

class world {
public:
  world() {
    for (const auto* name : {"n1", "n2", "n3", "n4"}) {
      node_view node;
      node.name = name;
      node.known = true;
      nodes[name] = node;
    }
    record.name = "i1";
    record.primary = "n1";
    record.secondaries = {"n2"};
    record.disks = disk_template::drbd;
    limits.enabled = true;
    limits.retry_base = seconds{60};
    limits.retry_max = minutes{30};
    limits.proof_max_age = hours{24};
  }

  /// Marked offline and proved down.
  void kill(const node_name& name) {
    nodes[name].offline = true;
    prove(name);
  }

  void prove(const node_name& name) {
    nodes[name].proved_down
      = proof{name, proof_level::power_status, "power status off", now};
  }

  [[nodiscard]] facts seen() const {
    facts f;
    f.instance = record;
    f.primary = nodes.at(record.primary);
    for (const auto& name : record.secondaries)
      f.secondaries.push_back(nodes.at(name));
    f.group = "g1";
    f.group_tags = group_tags;
    f.cluster_tags = cluster_tags;
    f.foreign_job = foreign_job;
    for (const auto& [name, node] : nodes)
      f.spare_nodes += spare(node) ? 1 : 0;
    f.read_at = now;
    return f;
  }

  /// Does what the opcodes say; false if one of them fails.
  bool execute(const std::vector<opcode>& ops) {
    for (const auto& op : ops)
      if (!execute(op))
        return false;
    return true;
  }

  [[nodiscard]] bool spare(const node_view& node) const {
    return !node.offline && !node.drained && node.vm_capable
           && node.name != record.primary
           && std::find(record.secondaries.begin(), record.secondaries.end(),
                        node.name)
                == record.secondaries.end();
  }

  std::map<node_name, node_view> nodes;
  instance_record record;
  std::vector<std::string> group_tags;
  std::vector<std::string> cluster_tags;
  std::optional<job_id> foreign_job;
  rules limits;
  instant now = start_time;

private:
  bool execute(const opcode& op) {
    switch (op.kind) {
    case op_kind::tags_set:
      for (const auto& tag : op.tags)
        if (!has(tag))
          record.tags.push_back(tag);
      return true;
    case op_kind::tags_del:
      for (const auto& tag : op.tags)
        if (!has(tag))
          return false; // as Ganeti does
      for (const auto& tag : op.tags)
        std::erase(record.tags, tag);
      return true;
    case op_kind::instance_failover:
    case op_kind::instance_migrate:
      if (!record.secondaries.empty()) {
        std::swap(record.primary, record.secondaries.front());
        return true;
      }
      return move(record.primary);
    case op_kind::replace_disks:
      return move(record.secondaries.front());
    default:
      return false;
    }
  }

  bool has(const std::string& tag) const {
    return std::find(record.tags.begin(), record.tags.end(), tag)
           != record.tags.end();
  }

  bool move(node_name& place) {
    for (const auto& [name, node] : nodes)
      if (spare(node)) {
        place = name;
        return true;
      }
    return false;
  }
};

/// Carries out what the machine asks for, one event a call of `turn`.
class bench : public world {
public:
  void apply(verdict v) {
    REQUIRE(from_fields(to_fields(v.next)) == v.next);
    machine = std::move(v.next);
    if (!v.why.empty())
      story.push_back(v.why);
    for (auto& action : v.actions) {
      if (auto* order = std::get_if<submit>(&action)) {
        REQUIRE(intents.insert(order->intent).second);
        under_way = *order;
        if (order->ops.front().kind != op_kind::tags_set
            && order->ops.front().kind != op_kind::tags_del)
          repairs.push_back(order->ops.front());
      } else if (auto* question = std::get_if<ask_permit>(&action)) {
        asked = *question;
      } else if (std::holds_alternative<give_back_permit>(action)) {
        ++given_back;
      } else {
        told.push_back(std::get<tell>(action).code);
      }
    }
  }

  void look() {
    now += millis{1};
    apply(step(machine, looked{seen(), fresh()}, limits, now));
  }

  void answer_permit(bool granted, instant retry_at = never) {
    now += millis{1};
    questions.push_back(*asked);
    asked.reset();
    apply(step(machine, permit_answered{seen(), granted, "storm", retry_at},
               limits, now));
  }

  void begin_job() {
    now += millis{1};
    apply(step(machine, job_started{event(job_phase::submitted, ++last_job)},
               limits, now));
  }

  void end_job(job_phase p, job_status status) {
    auto e = event(p, p == job_phase::refused ? 0 : last_job);
    e.status = status;
    auto before = seen(); // read before the job did anything
    now += millis{1};
    e.at = now;
    under_way.reset();
    apply(step(machine, job_ended{e, before}, limits, now));
  }

  void do_job() {
    begin_job();
    auto order = *under_way;
    auto before = seen();
    auto ok = execute(order.ops);
    now += millis{1};
    auto e = event(job_phase::ended, last_job);
    e.status = ok ? job_status::success : job_status::error;
    e.at = now;
    under_way.reset();
    apply(step(machine, job_ended{e, before}, limits, now));
  }

  [[nodiscard]] bool repair_under_way() const {
    return machine.stage == stage::repairing;
  }

  /// Until nothing moves; stops before a repair job ends if told so.
  void run(bool finish_repairs = true) {
    for (int idle = 0, turns = 0; idle < 3; ++turns) {
      REQUIRE(turns < 100);
      idle = 0;
      if (asked) {
        answer_permit(true);
      } else if (under_way) {
        if (repair_under_way() && !finish_repairs) {
          begin_job();
          return;
        }
        do_job();
      } else {
        look();
        idle = asked || under_way ? 0 : idle + 1;
        for (; idle > 0 && idle < 3 && !asked && !under_way; ++idle)
          look();
      }
    }
  }

  /// The own tags of the instance, sorted, without the common prefix.
  [[nodiscard]] std::vector<std::string> tags_now() const {
    std::vector<std::string> result;
    for (const auto& tag : record.tags)
      if (tag.rfind(tags::prefix, 0) == 0)
        result.push_back(tag.substr(tags::prefix.size()));
    std::sort(result.begin(), result.end());
    return result;
  }

  [[nodiscard]] instance_standing shown() const {
    return standing(machine, seen(), now);
  }

  incident_id fresh() { return "u" + std::to_string(++ids); }

  state machine;
  std::optional<submit> under_way;
  std::optional<ask_permit> asked;
  std::vector<ask_permit> questions;
  std::vector<opcode> repairs;
  std::vector<std::string> story;
  std::vector<std::string> told;
  std::set<intent_id> intents;
  int given_back = 0;
  int ids = 0;
  job_id last_job = 1000;

private:
  [[nodiscard]] job_event event(job_phase p, job_id id) const {
    job_event e;
    e.intent = under_way->intent;
    e.phase = p;
    e.id = id;
    e.at = now;
    return e;
  }
};

using texts = std::vector<std::string>;

inline const std::string id1 = "11111111-1111-4111-8111-111111111111";
inline const std::string id2 = "22222222-2222-4222-8222-222222222222";

inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// An instance whose primary is dead and that may be failed over.
inline bench broken() {
  bench b;
  b.kill("n1");
  b.cluster_tags = {tagged("failover")};
  return b;
}

/// ... with its failover permitted and its job running.
inline bench failing_over() {
  auto b = broken();
  b.run(false);
  REQUIRE(b.repair_under_way());
  return b;
}

/// A drbd instance whose new secondary is being built.
inline bench fixing() {
  bench b;
  b.nodes["n2"].offline = true;
  b.cluster_tags = {tagged("failover")};
  b.run(false);
  REQUIRE(b.repair_under_way());
  return b;
}

} // namespace orderly::autorepair::lab
