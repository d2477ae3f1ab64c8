// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What outlives the daemons of a timeline: its hosts, what is answered about
// them, and what was seen. Time is cut into seconds a little before each full
// one, because what a second brings comes in an order:
//
//   -95 ms  the inputs of the beginning      -90 ms  script
//    -3 ms  what took whole seconds ends, a new daemon begins
//    -2 ms  health checks
//    later  whatever waited: waits are `wait_more` longer than they say, so
//           that they end after the checks of their second

#pragma once

#include "actors/node/node.hpp"
#include "sim/timelines/host.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace orderly::sim::enacted {

using timelines::json;

constexpr millis second_begins{-100};
constexpr millis inputs_come{-95};
constexpr millis script_comes{-90};
constexpr millis results_come{-3};
constexpr millis checks_come{-2};
constexpr millis checks_within{2}; ///< all of them
constexpr millis wait_more{4};

/// How those behave who are asked before the timeline begins.
struct warm_up {
  std::uint32_t resets_left = 0; ///< so many resets are to fail first
  instant sampled_at = never;    ///< activity checks are answered no sooner
  instant last_reset_at = never; ///< likewise the reset after those
  instant failed_at = never;     ///< likewise the last of those that fail
  std::string activity = "inactive";
};

struct host {
  node_name name;
  timelines::answers inputs;
  node_facts facts;
  bool marked = false;         ///< offline, by a job of ours
  bool released = true;        ///< what is at home there may start elsewhere
  bool down_told = false;      ///< it was marked since it was fenced last
  bool commanded = false;      ///< something was, for the newest order
  std::optional<proof> proved; ///< as it was published
  warm_up before;
  // what was seen
  timelines::chronicle seen;
  host_ha::state state; ///< of the machine
  int health_checks = 0;
  bool recorded = false; ///< the beginning was reached
};

struct playground {
  timelines::timeline what;
  std::vector<host> hosts;
  instant zero;               ///< second 0
  instant now_least;          ///< no row before that is kept
  instant given_at = never;   ///< when the given state is entered
  instant down_at = never;    ///< fails its checks since, of before second 1
  instant read_since = never; ///< readings before that say on
  int refused = 0;

  [[nodiscard]] host& at(const node_name& name);
  [[nodiscard]] int second_of(instant at) const;

  [[nodiscard]] instant in(int second, millis offset = {}) const {
    return zero + seconds{second} + offset;
  }

  /// When something ends that begins at `at` and takes so many seconds.
  [[nodiscard]] instant end_of(instant at, std::int64_t takes) const;

  /// The inputs do not count yet.
  [[nodiscard]] bool is_before(instant at) const;

  [[nodiscard]] std::int64_t number(const char* setting) const {
    return what.how.settings.at(setting);
  }

  void note(host& x, json& into, const std::string& row, instant at);
  /// A step of the daemon that is on duty.
  void see(const machine_step& step);
};

using playground_ptr = std::shared_ptr<playground>;

/// What the record says of it by its inputs.
void renew_facts(const playground& all, host& x, instant at);

} // namespace orderly::sim::enacted
