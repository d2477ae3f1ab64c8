// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One host in virtual time around host_ha::step: permits are given at once,
// health is checked on the beat, and a script changes what the outside answers.
// Within one second: script, eligibility, results that are due, health check,
// deadline.

#pragma once

#include "actors/policy/host_ha/host_ha.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace orderly::sim::timelines {

using nlohmann::json;

/// What happened in which second: lists of `[second, ...]`.
struct chronicle {
  json transitions = json::array(); ///< [second, from, to, event]
  json operations = json::array();  ///< [second, operation]
  json events = json::array();      ///< [second, code]
  json alerts = json::array();      ///< [second, code]
};

/// A setting of the scenario in seconds, or a count; the defaults are the
/// seed's.
using numbers = std::map<std::string, std::int64_t>;

class host {
public:
  /// Throws std::invalid_argument if `given` or an input makes no sense.
  host(numbers settings, double ratio, const json& given, const json& inputs);

  /// The answer to the next call, or a list of them, of which the last stays.
  /// Throws std::invalid_argument if there is no such input.
  void set(const std::string& input, const json& value);

  /// The daemon dies and starts again at once.
  void restart();

  /// Goes on by one second, to `second`; the script of it was applied.
  void run(int second);

  [[nodiscard]] const chronicle& seen() const { return seen_; }

  /// State and counters as scenarios write them.
  [[nodiscard]] json final_state() const;

private:
  struct result_due {
    int at;
    host_ha::event what;
  };

  void feed(const host_ha::event& e);
  void carry_out(const host_ha::action& a);
  void finish(const char* what, const std::string& answer, host_ha::event late,
              host_ha::event in_time);
  void take_given(const json& given);
  void look_at_eligibility();
  void check_health();
  void drain();
  [[nodiscard]] json input(const std::string& key);
  [[nodiscard]] std::string word(const std::string& key);
  [[nodiscard]] bool flag(const std::string& key);
  [[nodiscard]] instant now() const;
  void note(json& into, const std::string& what) const;

  host_ha::rules r_;
  numbers settings_;
  host_ha::state s_;
  chronicle seen_;
  int second_ = 0;
  bool own_maintenance_ = false;
  std::map<std::string, std::vector<json>> inputs_;
  std::vector<result_due> running_;
  std::vector<host_ha::event> queue_;
};

/// `Suspect`: as scenarios write it.
const char* spelled(ha_phase x);

/// Throws std::invalid_argument if it is none.
ha_phase phase_from(const std::string& text);

} // namespace orderly::sim::timelines
