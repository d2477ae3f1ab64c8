// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A node actor between a controller and daemons made of glass. What it
// publishes and what it writes down can be looked at.

#pragma once

#include "actors/journal/journal.hpp"
#include "actors/node/node.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

namespace orderly {

struct node_world {
  health daemons = health::healthy;
  power_state power = power_state::on;
  power_wish wish;      ///< as the switch tells it
  bool answers = true;  ///< false: the switch hangs
  bool obeys = true;    ///< false: commands are not confirmed
  bool crowded = false; ///< the switch has no turn for a command
  bool lives = false;   ///< it refuses connections, its daemons being down
  /// What the guards say of a permit, empty: granted.
  std::string guarded;
  std::vector<power_verb> commands;   ///< that automation sent
  std::vector<power_last_word> words; ///< of the witness
  std::vector<permit_release> released;
  std::uint32_t readings = 0;
  std::uint32_t put_off = 0; ///< commands that got no turn
  std::uint32_t probes = 0;
  node_standing shown; ///< published last
};

class node_rig {
public:
  explicit node_rig(settings rules = {});

  /// The actor begins, from what is on paper.
  void boot();

  /// The picture says so.
  void read();

  /// Time passes, with a reading of the cluster each second.
  void run_for(seconds span);

  pending<off_word_answer> say_off(bool taken_back = false,
                                   millis patience = minutes{12});

  [[nodiscard]] bool proved() const {
    return world->shown.proved_down.has_value();
  }

  stage on;
  std::shared_ptr<node_world> world = std::make_shared<node_world>();
  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<submitter_fake> jobs = std::make_shared<submitter_fake>();
  node_facts facts;
  node_actor actor;
};

} // namespace orderly
