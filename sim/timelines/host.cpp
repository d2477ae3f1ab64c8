// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/timelines/host.hpp"

#include "actors/policy/base/backoff.hpp"
#include "messages/codes.hpp"
#include "messages/host_view.hpp"
#include "sim/timelines/eligible.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace orderly::sim::timelines {

namespace {

constexpr instant base{hours{470'000}};

power_state power_from(const std::string& text) {
  return text == "On"    ? power_state::on
         : text == "Off" ? power_state::off
                         : power_state::unknown;
}

} // namespace

host::host(plan how, const beginning& given, const json& inputs,
           surroundings around)
  : how_(std::move(how)), around_(std::move(around)) {
  auto span = [&](const char* key) { return seconds{how_.settings.at(key)}; };
  auto count = [&](const char* key) {
    return static_cast<std::uint32_t>(how_.settings.at(key));
  };
  r_.activity_interval_base = span("act_base");
  r_.activity_interval_max = span("act_cap");
  r_.activity_checks = count("max_checks");
  r_.activity_failure_ratio = how_.ratio;
  r_.degraded_period = span("degraded_period");
  r_.recovery_wait = span("recover_wait");
  r_.recovery_attempts_max = count("max_recover");
  // Under a treatment these hosts are asked for nothing: that their trouble was
  // not seen for two minutes says nothing.
  r_.absence = r_.evidence_max_age;
  r_.retry_base = span("retry_base");
  r_.retry_max = span("retry_cap");
  // Whatever waits for its turn is not lost.
  r_.answer_wait = hours{24};
  take_given(given);
  for (const auto& [key, value] : inputs.items())
    set(key, value);
}

void host::take_given(const beginning& given) {
  s_.phase = given.phase;
  s_.since = base + seconds{given.since};
  s_.checks = given.checks;
  s_.failures = given.failures;
  s_.unknowns = given.errors;
  s_.recoveries = given.recoveries;
  take_state();
}

/// What else is so in that state. Its trouble is seen up to the beginning.
void host::take_state() {
  s_.suspect_since = s_.sampled = s_.since;
  s_.trouble_seen = base;
  switch (s_.phase) {
  case ha_phase::degraded:
    s_.due = s_.since + r_.degraded_period;
    break;
  case ha_phase::recovered:
    s_.due = s_.since + r_.recovery_wait;
    break;
  case ha_phase::suspect:
    s_.last_health = health::unhealthy;
    s_.due = s_.since;
    if (s_.recoveries == 0 || s_.recoveries < r_.recovery_attempts_max)
      s_.due += backoff(r_.activity_interval_base, r_.activity_interval_max,
                        s_.checks + 1);
    break;
  case ha_phase::checking:
    s_.last_health = health::unhealthy;
    s_.due = never;
    break;
  case ha_phase::recovering:
    s_.recoveries = std::max<std::uint32_t>(s_.recoveries, 1);
    s_.recovery_dispatched = true;
    s_.due = never;
    break;
  case ha_phase::fencing:
    s_.maintenance = own_maintenance_ = true;
    s_.fence_dispatched = true;
    s_.fence_tries = 1;
    s_.due = never;
    break;
  case ha_phase::fenced:
    s_.maintenance = own_maintenance_ = true;
    s_.proved_down = proof{"n1", proof_level::power_status, "off", base};
    break;
  default:
    break;
  }
}

void host::set(const std::string& name, const json& value) {
  inputs_.set(name, value);
  if (name == "enabled" || name == "partition_enabled")
    follow_switches();
  if (name == "maintenance" && value == false && own_maintenance_) {
    own_maintenance_ = false;
    queue_.push_back(host_ha::returned{});
  }
}

void host::follow_switches() {
  auto treated = inputs_.is_on("enabled") && inputs_.is_on("partition_enabled");
  if (!treated && s_.phase != ha_phase::disabled)
    queue_.push_back(host_ha::disabled{});
  if (treated && s_.phase == ha_phase::disabled)
    queue_.push_back(host_ha::enabled{});
}

void host::restart() {
  for (auto& [kind, x] : awaited_)
    x = {x.number + 1, std::nullopt};
  checking_health_ = false;
  queue_.push_back(host_ha::restarted{});
}

/// The operation that its state is about.
void host::take_up() {
  if (s_.phase == ha_phase::checking)
    ask(operation::activity);
  else if (s_.phase == ha_phase::recovering)
    ask(operation::recover);
  else if (s_.phase == ha_phase::fencing)
    ask(operation::fence);
}

void host::enter(int second) {
  second_ = second;
  if (!std::exchange(begun_, true))
    take_up();
}

bool host::drain() {
  auto any = !queue_.empty();
  while (!queue_.empty()) {
    auto e = queue_.front();
    queue_.erase(queue_.begin());
    feed(e);
  }
  return any;
}

void host::feed(const host_ha::event& e) {
  auto from = s_;
  auto d = host_ha::step("n1", s_, e, r_, now());
  s_ = d.next;
  if (s_.phase != from.phase)
    seen_.transitions.push_back({second_, spelled(from.phase),
                                 spelled(s_.phase),
                                 host_ha::name_of_transition(from, e, s_)});
  for (const auto& a : d.actions)
    carry_out(a);
  if (s_.phase != from.phase
      && (s_.phase == ha_phase::available || s_.phase == ha_phase::ineligible))
    look_at_eligibility();
}

void host::carry_out(const host_ha::action& a) {
  using namespace host_ha;
  if (const auto* x = std::get_if<tell>(&a)) {
    note(codes::is_alert(x->code) ? seen_.alerts : seen_.events, x->code);
  } else if (const auto* asked = std::get_if<ask_permit>(&a)) {
    answer_permit(asked->act);
  } else if (std::holds_alternative<read_power>(a)) {
    answer_power();
  } else if (std::holds_alternative<check_activity>(a)) {
    ask(operation::activity);
  } else if (std::holds_alternative<reset_power>(a)) {
    ask(operation::recover);
  } else if (std::holds_alternative<enter_maintenance>(a)) {
    note(seen_.operations, "maintenance_on");
    own_maintenance_ = true;
    inputs_.set("maintenance", true);
  } else if (std::holds_alternative<fence_power>(a)) {
    ask(operation::fence);
  } else if (std::holds_alternative<release_instances>(a)) {
    note(seen_.operations, "host_down");
    note(seen_.operations, "restart_vms");
  }
}

/// What was read of a chassis is no evidence of activity checks.
void host::answer_permit(act_kind act) {
  host_ha::permit_answered e;
  e.act = act;
  auto for_power = host_ha::is_for_lost_power(s_);
  e.granted = for_power || !around_.is_mass_failure();
  if (!e.granted) {
    e.storm = true;
    e.why = "too many hosts are not available";
  }
  queue_.push_back(e);
}

void host::answer_power() {
  auto power = power_from(inputs_.word("power"));
  auto watched = s_.phase == ha_phase::suspect || s_.phase == ha_phase::checking
                 || s_.phase == ha_phase::degraded;
  if (watched && power == power_state::off && !how_.power_off_fast_path)
    power = power_state::unknown;
  queue_.push_back(host_ha::power_seen{power, inputs_.is_on("power_commanded"),
                                       "ipmi", now()});
}

void host::look_at_eligibility() {
  auto all = inputs_.all();
  // It may be blind and degraded at once: that shows nothing new.
  if (s_.phase == ha_phase::degraded && all["power"] == "Unknown")
    all["power"] = "On";
  auto x = candidate_from(all);
  x.in.ha_maintenance = own_maintenance_;
  auto answer = eligible(x.in);
  queue_.push_back(host_ha::eligibility{answer.eligible, answer.reason});
}

instant host::now() const {
  return base + seconds{second_};
}

void host::note(json& into, const std::string& what) const {
  into.push_back({second_, what});
}

json host::final_state() const {
  auto view = view_of(s_.phase);
  return {{"vm_ha_view", view ? json(view->host) : json{}},
          {"state", spelled(s_.phase)},
          {"checks", s_.checks},
          {"failures", s_.failures},
          {"errors", s_.unknowns},
          {"recoveries", s_.recoveries}};
}

} // namespace orderly::sim::timelines
