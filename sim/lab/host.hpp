// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A management host of a laboratory: the node that orderly runs on, with its
// journal and calendar, its way to the world, the daemon that runs there or
// does not, and the laws that judge what this daemon does.

#pragma once

#include "actors/tree/tree.hpp"
#include "sim/faults/faults.hpp"
#include "sim/lab/clockwork.hpp"
#include "sim/lab/person.hpp"
#include "sim/laws/laws.hpp"
#include "sim/ports/ports.hpp"

#include <functional>
#include <string>
#include <vector>

namespace orderly::sim {

/// Who is told what happens at a host.
struct host_listener {
  std::function<void(const std::string& who, const std::string& what)> line;
  std::function<void(const journal_entry&)> entry;
};

class host {
public:
  host(clockwork& clock, lab_pointer state, host_listener listener);
  ~host();

  host(const host&) = delete;
  host& operator=(const host&) = delete;

  [[nodiscard]] lab_state& state() { return *state_; }

  [[nodiscard]] const lab_pointer& state_pointer() const { return state_; }

  /// Its machine is off, dead, or only booting.
  [[nodiscard]] bool is_lost() const {
    return !state_->truth.booted(state_->self());
  }

  void start_daemon();
  void kill_daemon();

  [[nodiscard]] bool daemon_runs() const { return static_cast<bool>(tree_); }

  [[nodiscard]] const root_actor& tree() const { return tree_; }

  /// Does it now; the text says why not, empty: it is done.
  std::string apply(const fault_order& fault);

  /// A person enters a command line there.
  std::string enter(const std::string& command);

  void jump_clocks(const clock_jump& x);
  void change_rules(const settings& rules);

  /// Laws that were broken since the last look.
  std::vector<broken_law> look();
  /// A daemon that does not run owes nothing.
  std::vector<broken_law> check_liveness(const liveness_bounds& bounds);

  view_answer ask(const view_query& question);

private:
  [[nodiscard]] instant now() { return state_->wall(clock_.now()); }

  std::string pause(bool on);
  std::string reload(const std::string& key, const std::string& value);
  void make_context();
  void note_duty();

  clockwork& clock_;
  lab_pointer state_;
  host_listener listener_;
  ports ports_;
  std::vector<person> persons_;
  context_ptr context_;
  clock_offsets offsets_; ///< what the context's clock source tells
  root_actor tree_;
  laws laws_;
};

} // namespace orderly::sim
