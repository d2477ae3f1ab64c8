// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One host in virtual time around host_ha::step: a script changes what the
// outside answers, and whatever takes a turn is asked of the fleet that the
// host is one of (fleet.hpp), which also says when.

#pragma once

#include "actors/policy/host_ha/host_ha.hpp"
#include "sim/timelines/answers.hpp"
#include "sim/timelines/script.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orderly::sim::timelines {

/// What happened in which second: lists of `[second, ...]`.
struct chronicle {
  json transitions = json::array(); ///< [second, from, to, event]
  json operations = json::array();  ///< [second, operation]
  json events = json::array();      ///< [second, code]
  json alerts = json::array();      ///< [second, code]
};

/// What takes a turn, each kind in a lane of its own.
enum class operation { health, activity, recover, fence };

/// One that a host asked for, and none of those before it.
struct turn {
  operation kind = operation::health;
  std::uint64_t number = 0;
};

/// What a host asks of those around it.
struct surroundings {
  /// Wants a turn. The answer is `begin` or `refuse`, now or later.
  std::function<void(const turn&)> queue;
  /// So many are away that activity checks prove nothing.
  std::function<bool()> is_mass_failure;
};

class host {
public:
  /// Throws std::invalid_argument if an input makes no sense.
  host(plan how, const beginning& given, const json& inputs,
       surroundings around);

  /// The answer to the next call, or a list of them, of which the last stays.
  /// Throws std::invalid_argument if there is no such input.
  void set(const std::string& input, const json& value);

  /// The daemon dies and starts again at once.
  void restart();

  /// From now on it is that second. With the first one begins what the state
  /// that was given is about.
  void enter(int second);

  void look_at_eligibility();

  /// Queues its health check if it is time for one; true: it did.
  bool ask_health();

  /// What waited for that second is due.
  void look_at_deadline();

  /// The turn came. The second in which it ends; nullopt: nobody wants it any
  /// more.
  std::optional<int> begin(const turn& which);

  /// It ended, as its answer of then says.
  void finish(const turn& which);

  /// There was no room for it.
  void refuse(const turn& which);

  /// Works off what it was told; false: there was nothing.
  bool drain();

  [[nodiscard]] const chronicle& seen() const { return seen_; }

  [[nodiscard]] ha_phase phase() const { return s_.phase; }

  [[nodiscard]] int health_checks() const { return health_checks_; }

  /// When its last health check ended; the least value: never.
  [[nodiscard]] instant last_health() const { return last_health_; }

  /// State and counters as scenarios write them.
  [[nodiscard]] json final_state() const;

private:
  struct awaited {
    std::uint64_t number = 0;
    std::optional<host_ha::event> result;
  };

  void feed(const host_ha::event& e);
  void carry_out(const host_ha::action& a);
  void answer_permit(act_kind act);
  void answer_power();
  void ask(operation kind);
  [[nodiscard]] bool is_wanted(operation kind) const;
  [[nodiscard]] bool is_wait_over() const;
  [[nodiscard]] host_ha::event answer_of(operation kind, bool& hangs);
  void take_given(const beginning& given);
  void take_state();
  void take_up();
  void follow_switches();
  [[nodiscard]] instant now() const;
  void note(json& into, const std::string& what) const;

  host_ha::rules r_;
  plan how_;
  surroundings around_;
  host_ha::state s_;
  chronicle seen_;
  int second_ = 0;
  bool begun_ = false;
  int health_checks_ = 0;
  instant last_health_{};
  bool checking_health_ = false;
  bool wait_check_asked_ = false; ///< the one that ends the recovery wait
  bool own_maintenance_ = false;
  answers inputs_;
  std::map<operation, awaited> awaited_;
  std::vector<host_ha::event> queue_;
};

} // namespace orderly::sim::timelines
