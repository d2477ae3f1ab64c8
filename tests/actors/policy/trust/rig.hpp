// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rig of the trust tests: one machine, its surroundings at hand, fed
// by hand.

#pragma once

#include "actors/policy/trust/belief.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace orderly::trust {

inline constexpr instant t0{hours{470'000}};

struct rig {
  rules r{.check_interval = seconds{10},
          .check_timeout = seconds{5},
          .rehearsal_interval = minutes{60},
          .proof_max_age = minutes{5},
          .word_max_age = hours{24}};
  instant now = t0;
  host_ha::state machine;
  surroundings around;
  std::vector<instance_name> stranded;
  state s;
  std::vector<action> did; ///< of the last event
  bool alone = false; ///< what is not looked at is so for want of a witness

  rig() {
    machine.phase = ha_phase::available;
    around.known = true;
    around.has_program = true;
  }

  rig& feed(const event& e) {
    around.machine = &machine;
    around.stranded = &stranded;
    auto answer = step("n1", s, e, around, r, now);
    s = answer.next;
    did = answer.actions;
    return *this;
  }

  rig& after(millis span) {
    now += span;
    return *this;
  }

  /// A person has marked it offline, and host HA leaves it alone.
  rig& offline() {
    around.offline = true;
    machine.phase = ha_phase::ineligible;
    return feed(taken_out{});
  }

  [[nodiscard]] belief is() {
    around.machine = &machine;
    around.stranded = &stranded;
    return {s, around, r};
  }

  [[nodiscard]] power_report report(power_state x) const {
    power_report made;
    made.node = "n1";
    made.state = x;
    made.program = "/usr/lib/oob";
    made.evidence = std::string{"power status "} + to_string(x);
    made.at = now;
    return made;
  }

  rig& read(power_state x) { return feed(power_read{report(x)}); }

  rig& rehearse(power_state x) { return feed(rehearsed{report(x)}); }

  [[nodiscard]] sighting sight(health x, bool lives = false) const {
    sighting seen;
    seen.node = "n1";
    seen.verdict = x;
    seen.lives = lives;
    seen.alone = alone && x == health::not_looked;
    seen.evidence = "1811 gives no answer";
    seen.at = now;
    return seen;
  }

  rig& hear(health x, bool lives = false) {
    return feed(heard{sight(x, lives)});
  }

  /// Answers the question that the last event asked.
  rig& say(health x, bool lives = false) {
    const auto* asked = find<ask_daemons>();
    REQUIRE(asked != nullptr);
    auto said = asked->question;
    said.seen = sight(x, lives);
    feed(heard{said.seen});
    return feed(said);
  }

  /// The proof that the last event wanted to be written is on disk.
  rig& keep() {
    const auto* wanted = find<write_proof>();
    REQUIRE(wanted != nullptr);
    return feed(proof_is_kept{wanted->found});
  }

  template <class Action>
  [[nodiscard]] const Action* find() const {
    for (const auto& x : did)
      if (const auto* found = std::get_if<Action>(&x))
        return found;
    return nullptr;
  }

  /// What the machine of host HA is told, if it is told that.
  template <class Event>
  [[nodiscard]] const Event* told() const {
    for (const auto& x : did)
      if (const auto* what = std::get_if<tell_machine>(&x))
        if (const auto* found = std::get_if<Event>(&what->what))
          return found;
    return nullptr;
  }

  /// The rows that were written with this code.
  [[nodiscard]] std::vector<row> rows(const std::string& code) const {
    std::vector<row> result;
    for (const auto& x : did)
      if (const auto* what = std::get_if<write_rows>(&x))
        std::copy_if(what->rows.begin(), what->rows.end(),
                     std::back_inserter(result),
                     [&](const row& y) { return y.code == code; });
    return result;
  }
};

} // namespace orderly::trust
