// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rig of the host_ha tests: one machine, fed by hand.

#pragma once

#include "actors/policy/host_ha/host_ha.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace orderly::host_ha {

inline constexpr instant t0{hours{470'000}};

/// A machine at hand: feeds events and keeps the last answer.
struct rig {
  rules r{.activity_interval_base = seconds{10},
          .activity_interval_max = seconds{60},
          .activity_checks = 3,
          .degraded_period = seconds{300},
          .recovery_wait = seconds{600},
          .retry_base = seconds{10},
          .retry_max = seconds{250}};
  instant now = t0;
  state s;
  std::vector<action> did;
  std::string why;

  rig& feed(const event& e) {
    auto d = step("n1", s, e, r, now);
    s = d.next;
    did = d.actions;
    why = d.why;
    return *this;
  }

  rig& health_fails() {
    return feed(health_seen{health::unhealthy, "1811 refused"});
  }

  rig& health_passes() {
    return feed(health_seen{health::healthy, "1811 open"});
  }

  rig& power(power_state x, bool commanded = false) {
    return feed(power_seen{x, commanded, "ipmi says so", now});
  }

  rig& grant(act_kind act) {
    permit_answered e;
    e.act = act;
    e.granted = true;
    return feed(e);
  }

  rig& hold(act_kind act, const char* text, bool storm = false) {
    return feed(permit_answered{act, false, text, now + seconds{5}, storm});
  }

  rig& due() {
    now = s.due;
    return feed(deadline{});
  }

  rig& sample(activity x) {
    due();
    return feed(activity_seen{x, "no disk moved"});
  }

  /// A full window without activity: the reset is asked for.
  rig& failed_window() {
    health_fails();
    return sample(activity::inactive)
      .sample(activity::inactive)
      .sample(activity::inactive);
  }

  rig& fenced() {
    return health_fails()
      .power(power_state::off)
      .grant(act_kind::fence)
      .feed(fence_ended{true, "status off", now});
  }

  template <class T>
  [[nodiscard]] bool has() const {
    return std::any_of(did.begin(), did.end(), [](const action& a) {
      return std::holds_alternative<T>(a);
    });
  }

  [[nodiscard]] bool told(const char* code) const {
    return std::any_of(did.begin(), did.end(), [code](const action& a) {
      const auto* x = std::get_if<tell>(&a);
      return x && x->code == code;
    });
  }
};

} // namespace orderly::host_ha
