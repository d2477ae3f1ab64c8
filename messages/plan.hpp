// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words about balancing: what is asked of a planner and what it answers, and
// the sheet that people are shown. The planner knows no cluster but the model
// that comes with the question, and remembers nothing.

#pragma once

#include "messages/cluster.hpp"
#include "messages/job.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace orderly {

namespace planning {
struct cluster; // actors/planning/model/cluster.hpp
} // namespace planning

/// A cluster in a planner's numbers, read at once and never changed.
using cluster_model = std::shared_ptr<const planning::cluster>;

/// Asks for the model of the cluster as it is now. Nodes are asked for their
/// figures, so that this may take long; it changes nothing.
struct read_model {
  bool load = false; ///< with what nodes say of their CPU load
  millis time_limit{};
};

struct model_answer {
  cluster_model model; ///< null: no answer
  /// Nodes in service that gave no figures; in the model they are offline and
  /// have none.
  std::vector<node_name> silent;
  bool loaded = false;   ///< the load is in the model
  std::string load_text; ///< why it is not, if it was asked for
  std::string text;      ///< why there is no model
};

/// Where an instance is, or shall be.
struct instance_place {
  node_name primary;
  node_name secondary; ///< drbd: the mirror; else empty

  friend bool operator==(const instance_place&, const instance_place&)
    = default;
};

/// What balancing is asked for.
struct plan_question {
  cluster_model model;
  /// The state of record, if it is newer: places and flags are taken from it.
  cluster_picture picture;
  /// Jobs under way: these instances count as being where they are going.
  std::map<instance_name, instance_place> under_way;
  std::set<node_name> closed;        ///< no move leaves or fills them
  std::set<instance_name> fixed;     ///< they stay where they are
  std::set<instance_name> explained; ///< say of these why they stay
  bool disk_moves = true;            ///< false: nothing that copies disks
  double threshold = 0;         ///< least gain of a step; see balance.threshold
  double move_cost = 0;         ///< see balance.move_cost
  std::uint32_t moves_max = 0;  ///< steps of the plan at most; 0: no bound
  std::uint64_t effort_max = 0; ///< work, in moves tried; 0: the default
  millis deadline{};            ///< of the search; zero: none
};

/// One planned move, of one instance, in one job.
struct planned_move {
  instance_name instance;
  instance_place from;
  instance_place to;
  std::vector<opcode> ops; ///< in order, all in one job
  std::uint32_t wave = 0;  ///< 0 can run at once; 1 waits for some of 0; ...
  double score = 0;        ///< of its group after this step
  double gain = 0;         ///< what this step takes off the score
  double cost = 0;         ///< a live migration is 1
  std::string why;         ///< "reserved_mem_cv -0.0314, free_mem_cv -0.0101"

  friend bool operator==(const planned_move&, const planned_move&) = default;
};

/// "node1:node2 => node3:node2", homes before mirrors.
inline std::string path_of(const planned_move& x) {
  auto text = [](const instance_place& p) {
    return p.secondary.empty() ? p.primary : p.primary + ":" + p.secondary;
  };
  return text(x.from) + " => " + text(x.to);
}

/// How one node group scores.
struct group_score {
  group_name group;
  double before = 0;
  double after = 0; ///< if the plan were carried out
  std::uint32_t steps = 0;
  bool cut = false; ///< the deadline or the effort ended the search

  friend bool operator==(const group_score&, const group_score&) = default;
};

struct plan_answer {
  bool planned = false;
  std::vector<planned_move> moves; ///< in an order that can be carried out
  std::vector<group_score> groups; ///< sorted by name
  std::map<instance_name, std::string> explained; ///< sentences
  std::string text;                               ///< why there is no plan
};

/// Where should an instance go that must leave a node?
struct target_question {
  cluster_model model;
  cluster_picture picture; ///< as in plan_question
  std::map<instance_name, instance_place> under_way;
  instance_name instance;
  bool leaves_primary = false;   ///< its primary changes
  bool leaves_secondary = false; ///< its mirror changes
  std::set<node_name> closed;    ///< it does not go there
};

struct target_answer {
  bool found = false;
  instance_place to;
  std::string text; ///< why there, or why nowhere
};

/// Where does everything go that is on these nodes? One question for all of
/// them, so that no two take the same room.
struct evacuation_question {
  cluster_model model;
  cluster_picture picture; ///< as in plan_question
  std::map<instance_name, instance_place> under_way;
  std::set<node_name> leaves; ///< they are to be empty
  std::set<node_name> closed; ///< nothing goes there
};

/// One step of an instance off its node, a job of its own.
struct hop {
  bool mirror = false; ///< it gets a new mirror; else a new home
  node_name target;    ///< drbd homes: where its mirror is

  friend bool operator==(const hop&, const hop&) = default;
};

struct evacuation_answer {
  bool planned = false;
  std::map<instance_name, std::vector<hop>> hops; ///< in order
  std::map<instance_name, instance_place> from;   ///< before its first one
  std::map<instance_name, std::string> stuck;     ///< and why
  std::string text; ///< why there is no plan, or what it costs
};

/// How balancing stands, for people.
enum class balance_phase {
  off,      ///< balance.enabled is false
  resting,  ///< until `next_round`
  held,     ///< something holds it: see `text`
  reading,  ///< the model is being read
  planning, ///< the search is under way
  moving,   ///< jobs of a round are under way
};

const char* to_string(balance_phase x);

/// A move that is being carried out.
struct open_move {
  planned_move what;
  job_id job = 0;   ///< 0: not in the queue yet
  std::string text; ///< "waits for a permit: ...", "job 17 is running"

  friend bool operator==(const open_move&, const open_move&) = default;
};

/// Asks for the sheet; with `plan_now` also for a new plan on a fresh model,
/// which is only shown. It is ready when the sheet's `plan` has that number.
struct balance_query {
  bool plan_now = false;
  std::set<instance_name> explained; ///< with plan_now
};

struct balance_sheet {
  balance_phase phase = balance_phase::off;
  std::string text; ///< a sentence: what goes on, or what is waited for
  bool enabled = false;
  std::uint64_t round = 0;
  instant next_round; ///< `never`: not known
  std::vector<open_move> open;
  /// Number of the plan that was asked for last, and of the one that is here;
  /// equal: it is ready.
  std::uint64_t asked = 0;
  std::uint64_t plan = 0;
  instant planned_at;                         ///< `never`: there is none
  plan_answer planned;                        ///< may have failed: see its text
  std::vector<std::string> remarks;           ///< "no load data of node3: ..."
  std::map<node_name, std::string> closed;    ///< nodes left alone, and why
  std::map<instance_name, std::string> fixed; ///< instances left alone, why
};

} // namespace orderly
