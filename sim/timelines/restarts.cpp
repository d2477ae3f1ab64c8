// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a daemon that starts does with a node in each state: each action of the
// table is a question to the machine, asked half a minute after the state was
// entered.

#include "actors/policy/base/backoff.hpp"
#include "messages/codes.hpp"
#include "sim/timelines/play.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace orderly::sim::timelines {

namespace {

using namespace host_ha;

constexpr instant entered{hours{470'000}};
constexpr instant started = entered + seconds{30};

rules usual_rules() {
  rules r;
  r.activity_interval_base = seconds{10};
  r.activity_interval_max = seconds{60};
  r.degraded_period = seconds{300};
  r.recovery_wait = seconds{600};
  r.retry_base = seconds{10};
  r.retry_max = seconds{250};
  return r;
}

struct trial {
  state before;
  verdict after;
  power_state power = power_state::unknown;

  [[nodiscard]] verdict next(const event& e) const {
    return step("n1", after.next, e, usual_rules(), started);
  }

  template <class T>
  [[nodiscard]] bool does() const {
    return does<T>(after);
  }

  template <class T>
  static bool does(const verdict& v) {
    return std::any_of(v.actions.begin(), v.actions.end(), [](const auto& a) {
      return std::holds_alternative<T>(a);
    });
  }

  [[nodiscard]] bool stays() const { return after.next.phase == before.phase; }

  [[nodiscard]] bool keeps_samples() const {
    return after.next.checks == before.checks
           && after.next.failures == before.failures;
  }

  /// What the eligibility rule says counts at once.
  [[nodiscard]] bool heeds_eligibility() const {
    if (after.next.phase == ha_phase::ineligible)
      return next(eligibility{}).next.phase == ha_phase::available;
    return next(eligibility{false, "no neighbour"}).next.phase
           == ha_phase::ineligible;
  }

  /// The answer to the reading that it asks for.
  [[nodiscard]] verdict power_read() const {
    return next(power_seen{power, false, "ipmi", started});
  }
};

bool changes_nothing(const trial& x) {
  return x.after.next == x.before && x.after.actions.empty();
}

bool waits_again(const trial& x) {
  auto r = usual_rules();
  auto wait = backoff(r.activity_interval_base, r.activity_interval_max,
                      x.before.checks + 1);
  return x.stays() && x.heeds_eligibility() && x.keeps_samples()
         && x.after.next.due == started + wait;
}

bool discards_sample(const trial& x) {
  return x.after.next.phase == ha_phase::suspect && x.keeps_samples();
}

bool keeps_deadline(const trial& x) {
  return x.stays() && x.after.next.due == x.before.due;
}

bool dispatches(const trial& x) {
  permit_answered granted;
  granted.act = act_kind::reset;
  granted.granted = true;
  return x.stays() && x.after.next.wants == act_kind::reset
         && trial::does<reset_power>(x.next(granted));
}

bool counts_as_done(const trial& x) {
  auto read = x.power_read();
  return x.does<read_power>() && read.next.phase == ha_phase::recovered
         && read.next.recoveries == x.before.recoveries
         && !trial::does<reset_power>(read);
}

/// None is left, so the fence is next.
bool counts_as_failed(const trial& x) {
  auto read = x.power_read();
  return x.does<read_power>() && read.next.recoveries == x.before.recoveries
         && read.next.wants == act_kind::fence
         && !trial::does<reset_power>(read);
}

bool fences_again(const trial& x) {
  return x.stays()
         && (x.does<fence_power>() || x.after.next.wants == act_kind::fence);
}

/// Once it is read that it is off still.
bool releases_again(const trial& x) {
  auto read = x.next(power_seen{power_state::off, false, "ipmi", started});
  return x.stays() && x.does<read_power>()
         && trial::does<release_instances>(read);
}

using question = std::function<bool(const trial&)>;

const std::map<std::string, question>& questions() {
  static const std::map<std::string, question> all{
    {"nothing", changes_nothing},
    {"re-check eligibility",
     [](const trial& x) { return x.stays() && x.heeds_eligibility(); }},
    {"re-check eligibility, keep samples, wait the same interval again",
     waits_again},
    {"to Suspect, sample discarded", discards_sample},
    {"keep, deadline unchanged", keeps_deadline},
    {"dispatch", dispatches},
    {"to Recovered, attempt stays counted", counts_as_done},
    {"count as failed attempt", counts_as_failed},
    {"fence again (verify first)", fences_again},
    {"finish pending VM restart and disconnect steps", releases_again},
  };
  return all;
}

state in_state(const json& x) {
  state s;
  s.phase = phase_from(x.at("state").get<std::string>());
  s.since = s.suspect_since = s.trouble_seen = s.sampled = entered;
  s.due = never;
  switch (s.phase) {
  case ha_phase::suspect:
    s.checks = 2;
    s.failures = 1;
    s.due = entered + seconds{40};
    break;
  case ha_phase::checking:
    s.checks = 1;
    s.failures = 1;
    break;
  case ha_phase::degraded:
    s.due = entered + seconds{300};
    break;
  case ha_phase::recovering:
    s.recovery_dispatched = x.value("dispatched", false);
    s.recoveries = s.recovery_dispatched ? 1 : 0;
    break;
  case ha_phase::recovered:
    s.recoveries = 1;
    s.due = entered + seconds{600};
    break;
  case ha_phase::fencing:
    s.maintenance = true;
    s.fence_dispatched = s.fence_sent = true;
    s.fence_reason = codes::fenced_max_attempts;
    break;
  case ha_phase::fenced:
    s.maintenance = true;
    s.proved_down = proof{"n1", proof_level::power_status, "off", entered};
    break;
  default:
    break;
  }
  return s;
}

} // namespace

std::vector<mismatch> judge_restarts(const json& cases) {
  std::vector<mismatch> result;
  for (const auto& one : cases) {
    auto action = one.at("action").get<std::string>();
    auto i = questions().find(action);
    if (i == questions().end())
      throw std::invalid_argument{"action \"" + action
                                  + "\" is not understood"};
    trial x;
    x.before = in_state(one);
    x.power = one.value("power", "") == "On"    ? power_state::on
              : one.value("power", "") == "Off" ? power_state::off
                                                : power_state::unknown;
    x.after = step("n1", x.before, restarted{}, usual_rules(), started);
    if (!i->second(x))
      result.push_back({one.dump(), action, x.after.why});
  }
  return result;
}

} // namespace orderly::sim::timelines
