// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What people and programs outside are shown: the answers of the view actor.

#pragma once

#include "messages/errand.hpp"
#include "messages/event.hpp"
#include "messages/journal_entry.hpp"
#include "messages/permit.hpp"
#include "messages/standing.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orderly {

struct node_row {
  node_name name;
  group_name group;
  bool offline = false;
  bool drained = false;
  bool powered = true;            ///< recorded, not observed
  bool power_control = false;     ///< some helper is known for it
  std::uint32_t power_levels = 0; ///< helpers that would be tried
  node_standing standing;
  std::optional<accepted_order> ordered; ///< by a person, and not done yet

  friend bool operator==(const node_row&, const node_row&) = default;
};

struct instance_row {
  instance_name name;
  node_name primary;
  std::vector<node_name> secondaries;
  std::string disks;
  std::string admin;
  instance_standing standing;

  friend bool operator==(const instance_row&, const instance_row&) = default;
};

struct status_row {
  std::string version;
  std::string cluster;
  node_name master;
  lease right_to_act;
  guard_standing guard;
  instant started;             ///< the view, with all services
  instant now;                 ///< when this was put together
  instant polled;              ///< last time the cluster answered, or `never`
  instant read_from;           ///< when that reading began
  std::uint32_t removals = 0;  ///< of expired tags, that are under way
  std::string poll_error;      ///< of the last reading; empty: it was answered
  std::string journal_trouble; ///< why it cannot be written; empty: it can
  bool autorepair = false;
  repair_mode autorepair_mode = repair_mode::off;
  bool host_ha = false;
  std::map<std::string, std::uint32_t> nodes_by_phase;
  std::map<std::string, std::uint32_t> instances_by_phase;
  /// Broken instances by the repair type that they take, `none` if none helps.
  std::map<std::string, std::uint32_t> repairs_needed;
  /// Nodes by what the rehearsal of their power control gave.
  std::map<std::string, std::uint32_t> nodes_by_protection;
  /// Whose power is not what the record says, and how: "recorded off, is on".
  std::map<node_name, std::string> power_mismatches;
  std::map<std::string, std::uint64_t> counters; ///< for /metrics
  bool events_read = false; ///< what is known of events was read from memory
};

enum class view_subject { status, nodes, instances, decisions, explain };

struct view_query {
  view_subject subject = view_subject::status;
  std::string object; ///< explain: a node or instance name, or both kinds
  std::uint32_t limit = 100; ///< decisions
  std::uint64_t after = 0;   ///< decisions: only with a larger seq
};

/// All that readers may ask for, as it was at one moment. What did not change
/// between two scenes is the same row in both: whoever made something of a row
/// can tell by its address.
struct scene {
  std::uint64_t revision = 0; ///< as `context::stirred` was
  status_row status;
  std::vector<std::shared_ptr<const node_row>> nodes;          ///< by name
  std::vector<std::shared_ptr<const instance_row>> instances;  ///< by name
  std::vector<std::shared_ptr<const journal_entry>> decisions; ///< newest last
  std::vector<event_standing> events; ///< newest change first
  /// By name of the node; null: none was asked yet.
  std::shared_ptr<const std::vector<agent_row>> agents;
};

/// By a person or an outside system: repair this instance once, up to that
/// type, whatever the tags allow. Writes a pending tag, which is its own
/// permission.
struct repair_request {
  instance_name instance;
  repair_type type = repair_type::fix_storage;
  std::string who; ///< as the door says
};

struct repair_answer {
  bool accepted = false;
  incident_id repair; ///< the id in the pending tag
  std::string text;   ///< what happens next, or why nothing will
};

/// One answer; only the parts asked for are filled.
struct view_answer {
  bool found = true;
  status_row status;
  std::vector<node_row> nodes;
  std::vector<instance_row> instances;
  std::vector<journal_entry> decisions; ///< newest last
};

} // namespace orderly
