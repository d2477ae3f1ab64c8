// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One job of the simulated queue: what was asked, how far it is, and what was
// so when it was sent, which the laws judge it by.

#pragma once

#include "messages/cluster.hpp"
#include "messages/job.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace orderly::sim {

/// What a drill has in store for a job.
enum class job_fate {
  natural,  ///< the dice decide
  error,    ///< one of its opcodes fails
  canceled, ///< a person cancels it before it does anything
  lost,     ///< its process is killed: "running" for ever
};

struct sim_job {
  job_id id = 0;
  job_spec spec;
  job_status status = job_status::queued;
  std::string text; ///< of the error
  intent_id intent; ///< out of the reason trail; empty: not ours
  node_name sender; ///< of an intent; empty: there is only one daemon
  instant submitted;
  instant ended;
  bool dead = false;     ///< its process was killed: "running" for ever
  bool archived = false; ///< nobody can read it any more
  node_name canceled_by; ///< the daemon that asked for it; empty: a person did
  bool unheard = false;  ///< read after its sender had ceased to wait
  // what was so when it was sent, for the laws
  node_name old_home;    ///< recorded primary of its instance
  bool home_ran = false; ///< the old home really ran it
  admin_state admin = admin_state::up;
  std::vector<instance_name> instances; ///< named by its opcodes
  std::vector<node_name> leaves;        ///< nodes left by it
  std::vector<node_name> joins;         ///< nodes that it names to take load
  // how far it is
  std::vector<std::string> locks; ///< held for the opcode that runs
  std::size_t op = 0;             ///< the opcode that runs
  instant begun;                  ///< its first opcode; `never`: none ran
  instant due;                    ///< next time something happens to it
  std::uint64_t turn = 0;         ///< its place among those that wait

  /// Named by its opcodes.
  [[nodiscard]] std::vector<node_name> nodes() const {
    std::vector<node_name> result;
    for (const auto& x : spec.ops) {
      result.insert(result.end(), x.nodes.begin(), x.nodes.end());
      for (const auto& name : {x.node, x.target})
        if (!name.empty())
          result.push_back(name);
    }
    return result;
  }
  job_fate fate = job_fate::natural;
  std::size_t doomed_at = 0; ///< the opcode that fails by its fate
  std::string failure; ///< outcome of the opcode that runs; empty: success
  std::vector<node_name> targets; ///< chosen for the opcode that runs
  bool falls_over = false;        ///< the migration that runs is a failover
  /// The home of its instance was marked offline when the opcode that runs
  /// began: nobody marks it while that has the locks.
  bool home_out = false;
};

/// How a repair command ends on a node, and how often it ran.
struct command_course {
  int exit = 0;
  std::string output;
  std::uint32_t runs = 0;
};

/// Only tags and waits: the book-keeping around a repair.
bool is_bookkeeping(const job_spec& x);

} // namespace orderly::sim
