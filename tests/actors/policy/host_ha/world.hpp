// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One host in virtual time for the tests of host_ha::step: permits are given
// at once, health is checked every ten seconds, and a script changes what the
// outside answers. Within one second: script, eligibility, results that are
// due, health check, deadline.

#pragma once

#include "actors/policy/host_ha/host_ha.hpp"

#include <map>
#include <string>
#include <vector>

namespace orderly::host_ha {

/// One scenario. All texts are blank-separated words; settings and inputs are
/// `key=value`, a value `a|b|c` is used up one a call and the last one stays.
struct scenario {
  const char* title;
  const char* given = "";
  const char* settings = "";
  const char* inputs = "";
  const char* script = ""; ///< `15:healthy=no 25:restart`
  int until = 0;
  const char* moves = "";      ///< `10:Av>Sus`
  const char* operations = ""; ///< `20:activity_check`
  const char* events = "";     ///< `10:E.HEALTH_FAILED`
  const char* alerts = "";
  const char* final = "Av 0 0 0 0"; ///< phase checks failures unknowns resets
};

class world {
public:
  explicit world(const scenario& x);

  /// Runs from second 0 to `until`, inclusive.
  void run();

  /// The phase as scenarios write it.
  [[nodiscard]] std::string phase_word() const;

  std::vector<std::string> moves;
  std::vector<std::string> operations;
  std::vector<std::string> events;
  std::vector<std::string> alerts;
  std::vector<std::string> whys;
  state s;

private:
  struct result_due {
    int at;
    event what;
  };

  void apply(const std::string& change);
  void feed(const event& e);
  void carry_out(const action& a);
  void finish(int duration, int time_limit, const std::string& answer,
              event late, event in_time);
  void look_at_eligibility();
  void start_health_check();
  void drain();
  [[nodiscard]] std::string input(const std::string& key);
  [[nodiscard]] int setting(const char* key) const;
  [[nodiscard]] instant now() const;
  [[nodiscard]] std::string at(const std::string& what) const;

  const scenario& x_;
  rules r_;
  int second_ = 0;
  bool own_maintenance_ = false;
  std::map<std::string, int> settings_;
  std::map<std::string, std::vector<std::string>> inputs_;
  std::vector<result_due> running_;
  std::vector<event> queue_;
};

/// Runs `x` and compares everything that it says.
void check(const scenario& x);

/// Words of a blank-separated text.
std::vector<std::string> words(const std::string& text);

} // namespace orderly::host_ha
