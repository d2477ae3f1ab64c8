// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One life of a daemon: the real actors that treat nodes, on a clock of their
// own. It may be frozen while another one goes on, and thawed.

#pragma once

#include "actors/node/node.hpp"
#include "messages/protocol/leader.hpp"
#include "messages/protocol/scheduler.hpp"
#include "sim/enacted/ports.hpp"
#include "sim/lab/clockwork.hpp"
#include "sim/walk/cast.hpp"

#include <caf/actor.hpp>

#include <vector>

namespace orderly::sim::enacted {

struct birth {
  settings rules;
  instant at;
  std::uint64_t seed = 1; ///< says when nodes are checked first
};

class daemon {
public:
  /// All but the actors of nodes.
  daemon(playground_ptr all, walking::paper_ptr book, const birth& how);
  ~daemon();

  daemon(const daemon&) = delete;
  daemon& operator=(const daemon&) = delete;

  void begin_node(const host& x);

  /// Other rules, for all that begins from now on.
  void replace(const settings& rules);

  /// The record of that host as its inputs have it.
  void read(host& x);

  void run_until(instant end);

  /// Another one has taken over, and it stands still until it is thawed.
  void freeze();
  void thaw(instant at);

  /// Not frozen, or thawed.
  [[nodiscard]] bool awake() const { return awake_; }

private:
  void vouch();
  void introduce();

  clockwork clock_;
  playground_ptr all_;
  context_ptr ctx_;
  post_ptr post_;
  node_peers peers_;
  scheduler_actor guards_;
  std::vector<lease_client> leased_;
  std::vector<caf::actor> actors_;
  instant vouched_;
  bool awake_ = true;
};

} // namespace orderly::sim::enacted
