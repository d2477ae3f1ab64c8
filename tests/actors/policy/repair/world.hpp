// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One instance and four nodes in memory, on which opcodes have their effect:
// what the autorepair tests run the machine against.

#pragma once

#include "actors/policy/repair/autorepair.hpp"

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
    limits.word_max_age = hours{24};
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
    f.strays = strays;
    f.held = held;
    f.shared = shared;
    if (room_asked) {
      f.room.emplace();
      f.room->answered = room_text.empty();
      f.room->text = room_text;
    }
    for (const auto& [name, node] : nodes)
      if (spare(node)) {
        ++f.spare_nodes;
        if (f.room && f.room->answered)
          f.room->nodes.push_back(
            {name, memory_free, disk_free > 0 ? disk_free : 0});
      }
    f.jobs = jobs;
    f.trails = trails;
    f.mirror_fault = mirror_fault;
    f.mirror_syncs = mirror_syncs;
    f.mirror_read_at = mirror_late ? instant{} : now;
    f.read_at = now;
    return f;
  }

  /// Does what the opcodes say; false if one of them fails.
  bool execute(const std::vector<opcode>& ops) {
    error.clear();
    return std::all_of(ops.begin(), ops.end(),
                       [this](const auto& op) { return execute(op); });
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
  std::vector<stray_job> strays;
  std::string held;                            ///< what a person does here
  std::map<incident_id, instance_name> shared; ///< ids of others, too
  std::map<job_id, job_standing> jobs; ///< what the queue says of old ones
  std::vector<std::pair<incident_id, job_id>> trails;
  std::vector<disk_fault> mirror_fault;
  bool mirror_syncs = false;
  bool mirror_late = false; ///< it was not read since the start
  bool room_asked = true;
  std::string room_text; ///< why the nodes do not tell their room
  std::int64_t memory_free = 8192;
  std::int64_t disk_free = 100000;
  std::vector<opcode> tag_ops; ///< all that had their effect
  std::string error;           ///< why the last job failed
  rules limits;
  instant now = start_time;

  [[nodiscard]] bool has_tag(const std::string& tag) const { return has(tag); }

private:
  bool execute(const opcode& op) {
    switch (op.kind) {
    case op_kind::tags_set:
      for (const auto& tag : op.tags)
        if (!has(tag))
          record.tags.push_back(tag);
      tag_ops.push_back(op);
      return true;
    case op_kind::tags_del:
      for (const auto& tag : op.tags)
        if (!has(tag)) {
          error = "Tag(s) '" + tag + "' not found"; // as Ganeti does
          return false;
        }
      for (const auto& tag : op.tags)
        std::erase(record.tags, tag);
      tag_ops.push_back(op);
      return true;
    case op_kind::instance_failover:
    case op_kind::instance_migrate:
      if (!record.secondaries.empty()) {
        std::swap(record.primary, record.secondaries.front());
        return true;
      }
      return move(record.primary);
    case op_kind::wait:
    case op_kind::activate_disks:
    case op_kind::instance_reinstall:
      return true;
    case op_kind::instance_shutdown:
      record.admin = admin_state::down;
      return true;
    case op_kind::instance_startup:
      record.admin = admin_state::up;
      return true;
    case op_kind::recreate_disks:
      return recreate(op);
    case op_kind::replace_disks:
      if (op.flag) {
        mirror_fault.clear();
        return true;
      }
      return move(record.secondaries.front());
    default:
      return false;
    }
  }

  bool recreate(const opcode& op) {
    if (record.admin == admin_state::up)
      return false;
    if (op.nodes.empty()) {
      if (op.allocator.empty() || !move(record.primary))
        return false;
      return record.secondaries.empty() || move(record.secondaries.front());
    }
    record.primary = op.nodes.front();
    if (op.nodes.size() > 1)
      record.secondaries = {op.nodes.back()};
    return true;
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

} // namespace orderly::autorepair::lab
