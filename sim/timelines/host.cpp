// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/timelines/host.hpp"

#include "actors/policy/base/backoff.hpp"
#include "messages/codes.hpp"
#include "messages/host_view.hpp"

#include <algorithm>
#include <stdexcept>

namespace orderly::sim::timelines {

namespace {

constexpr instant base{hours{470'000}};

const std::map<std::string, json>& usual_inputs() {
  static const std::map<std::string, json> all{
    {"enabled", true},
    {"partition_enabled", true},
    {"partition_maintenance", false},
    {"maintenance", false},
    {"host_disabled", false},
    {"neighbours", 1},
    {"oobm", true},
    {"power", "On"},
    {"power_commanded", false},
    {"healthy", true},
    {"activity", "active"},
    {"recover", "ok"},
    {"fence", "ok"},
    {"t_health", 0},
    {"t_activity", 0},
    {"t_recover", 0},
    {"t_fence", 0},
  };
  return all;
}

power_state power_from(const std::string& text) {
  return text == "On"    ? power_state::on
         : text == "Off" ? power_state::off
                         : power_state::unknown;
}

bool is_checked(ha_phase x) {
  return x == ha_phase::available || x == ha_phase::suspect
         || x == ha_phase::checking || x == ha_phase::degraded
         || x == ha_phase::recovered || x == ha_phase::fenced;
}

} // namespace

const char* spelled(ha_phase x) {
  switch (x) {
  case ha_phase::disabled:
    return "Disabled";
  case ha_phase::ineligible:
    return "Ineligible";
  case ha_phase::available:
    return "Available";
  case ha_phase::suspect:
    return "Suspect";
  case ha_phase::checking:
    return "Checking";
  case ha_phase::degraded:
    return "Degraded";
  case ha_phase::recovering:
    return "Recovering";
  case ha_phase::recovered:
    return "Recovered";
  case ha_phase::fencing:
    return "Fencing";
  case ha_phase::fenced:
    return "Fenced";
  }
  return "?";
}

ha_phase phase_from(const std::string& text) {
  for (auto x : {ha_phase::disabled, ha_phase::ineligible, ha_phase::available,
                 ha_phase::suspect, ha_phase::checking, ha_phase::degraded,
                 ha_phase::recovering, ha_phase::recovered, ha_phase::fencing,
                 ha_phase::fenced})
    if (text == spelled(x))
      return x;
  throw std::invalid_argument{"there is no state \"" + text + "\""};
}

host::host(numbers settings, double ratio, const json& given,
           const json& inputs)
  : settings_(std::move(settings)) {
  for (const auto& [key, value] : usual_inputs())
    inputs_[key] = {value};
  auto span = [&](const char* key) { return seconds{settings_.at(key)}; };
  auto count = [&](const char* key) {
    return static_cast<std::uint32_t>(settings_.at(key));
  };
  r_.activity_interval_base = span("act_base");
  r_.activity_interval_max = span("act_cap");
  r_.activity_checks = count("max_checks");
  r_.activity_failure_ratio = ratio;
  r_.degraded_period = span("degraded_period");
  r_.recovery_wait = span("recover_wait");
  r_.recovery_attempts_max = count("max_recover");
  r_.retry_base = span("retry_base");
  r_.retry_max = span("retry_cap");
  take_given(given);
  for (const auto& [key, value] : inputs.items())
    set(key, value);
}

void host::take_given(const json& given) {
  s_.since = base;
  for (const auto& [key, value] : given.items()) {
    if (key == "state")
      s_.phase = phase_from(value.get<std::string>());
    else if (key == "since")
      s_.since = base + seconds{value.get<std::int64_t>()};
    else if (key == "counters")
      for (const auto& [name, n] : value.items()) {
        auto& into = name == "checks"     ? s_.checks
                     : name == "failures" ? s_.failures
                     : name == "errors"   ? s_.unknowns
                     : name == "recoveries"
                       ? s_.recoveries
                       : throw std::invalid_argument{"given: no counter \""
                                                     + name + "\""};
        into = n.get<std::uint32_t>();
      }
    else
      throw std::invalid_argument{"given: key \"" + key
                                  + "\" is not understood"};
  }
  if (s_.phase == ha_phase::degraded)
    s_.due = s_.since + r_.degraded_period;
  if (s_.phase == ha_phase::recovered)
    s_.due = s_.since + r_.recovery_wait;
  if (s_.phase == ha_phase::suspect) {
    s_.last_health = health::unhealthy;
    s_.due = s_.since;
    if (s_.recoveries == 0)
      s_.due += backoff(r_.activity_interval_base, r_.activity_interval_max,
                        s_.checks + 1);
  }
  if (s_.phase == ha_phase::fenced) {
    s_.maintenance = true;
    own_maintenance_ = true;
    s_.proved_down = proof{"n1", proof_level::power_status, "off", base};
  }
}

void host::set(const std::string& name, const json& value) {
  auto i = inputs_.find(name);
  if (i == inputs_.end())
    throw std::invalid_argument{"there is no input \"" + name + "\""};
  i->second = value.is_array() ? value.get<std::vector<json>>()
                               : std::vector<json>{value};
  if (i->second.empty())
    throw std::invalid_argument{"input \"" + name + "\" is an empty list"};
  if (name == "enabled" && value == false && s_.phase != ha_phase::disabled)
    queue_.push_back(host_ha::disabled{});
  if (name == "enabled" && value == true && s_.phase == ha_phase::disabled)
    queue_.push_back(host_ha::enabled{});
  if (name == "maintenance" && value == false && own_maintenance_) {
    own_maintenance_ = false;
    queue_.push_back(host_ha::returned{});
  }
}

void host::restart() {
  running_.clear();
  queue_.push_back(host_ha::restarted{});
}

void host::run(int second) {
  second_ = second;
  drain();
  look_at_eligibility();
  drain();
  auto due = std::stable_partition(
    running_.begin(), running_.end(),
    [this](const result_due& x) { return x.at > second_; });
  for (auto i = due; i != running_.end(); ++i)
    queue_.push_back(i->what);
  running_.erase(due, running_.end());
  drain();
  if (second_ > 0 && second_ % settings_.at("health_interval") == 0)
    check_health();
  drain();
  if (s_.due != never && s_.due <= now())
    queue_.push_back(host_ha::deadline{});
  drain();
}

void host::drain() {
  while (!queue_.empty()) {
    auto e = queue_.front();
    queue_.erase(queue_.begin());
    feed(e);
  }
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
    permit_answered e;
    e.act = asked->act;
    e.granted = true;
    queue_.push_back(e);
  } else if (std::holds_alternative<read_power>(a)) {
    queue_.push_back(power_seen{power_from(word("power")),
                                flag("power_commanded"), "ipmi", now()});
  } else if (std::holds_alternative<check_activity>(a)) {
    note(seen_.operations, "activity_check");
    auto answer = word("activity");
    auto verdict = answer == "active"     ? activity::active
                   : answer == "inactive" ? activity::inactive
                                          : activity::unknown;
    finish("activity", answer, activity_seen{activity::unknown, "timed out"},
           activity_seen{verdict, answer});
  } else if (std::holds_alternative<reset_power>(a)) {
    note(seen_.operations, "recover");
    auto answer = word("recover");
    finish("recover", answer, recovery_ended{false, "timed out"},
           recovery_ended{answer == "ok" && word("power") != "Off", answer});
  } else if (std::holds_alternative<enter_maintenance>(a)) {
    note(seen_.operations, "maintenance_on");
    own_maintenance_ = true;
    inputs_["maintenance"] = {true};
  } else if (std::holds_alternative<fence_power>(a)) {
    note(seen_.operations, "fence");
    auto answer = word("fence");
    if (answer == "ok")
      inputs_["power"] = {"Off"};
    finish("fence", answer, fence_ended{false, "timed out", now()},
           fence_ended{answer == "ok", answer, now()});
  } else if (std::holds_alternative<release_instances>(a)) {
    note(seen_.operations, "host_down");
    note(seen_.operations, "restart_vms");
  }
}

void host::finish(const char* what, const std::string& answer,
                  host_ha::event late, host_ha::event in_time) {
  auto name = std::string{what};
  auto limit = settings_.at((name == "activity" ? "act" : name) + "_timeout");
  auto takes = input("t_" + name).get<std::int64_t>();
  auto is_late = answer == "hang" || takes > limit;
  auto end = second_ + static_cast<int>(is_late ? limit : takes);
  auto& e = is_late ? late : in_time;
  if (end == second_)
    queue_.push_back(e);
  else
    running_.push_back({end, e});
}

void host::look_at_eligibility() {
  host_ha::eligibility e;
  if (input("neighbours") == 0)
    e = {false, "no neighbour"};
  else if (flag("host_disabled") || flag("partition_maintenance"))
    e = {false, "disabled, or its partition is in maintenance"};
  else if (!flag("oobm"))
    e = {false, "no power control"};
  else if (flag("maintenance") && !own_maintenance_)
    e = {false, "in maintenance"};
  else if (word("power") == "Unknown" && s_.phase != ha_phase::degraded)
    e = {false, "power unknown"};
  else if (word("power") == "Off" && flag("power_commanded"))
    e = {false, "switched off by command"};
  queue_.push_back(e);
}

void host::check_health() {
  if (!is_checked(s_.phase))
    return;
  auto answer = input("healthy");
  auto hangs = answer == "hang";
  finish(
    "health", hangs ? "hang" : "",
    host_ha::health_seen{health::unhealthy, "timed out"},
    host_ha::health_seen{answer == true ? health::healthy : health::unhealthy,
                         "1811 refused"});
}

json host::input(const std::string& key) {
  auto& answers = inputs_.at(key);
  auto result = answers.front();
  if (answers.size() > 1)
    answers.erase(answers.begin());
  return result;
}

std::string host::word(const std::string& key) {
  return input(key).get<std::string>();
}

bool host::flag(const std::string& key) {
  return input(key).get<bool>();
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
