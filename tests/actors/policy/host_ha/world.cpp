// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/host_ha/world.hpp"

#include "actors/policy/base/backoff.hpp"
#include "messages/codes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>
#include <type_traits>

namespace orderly::host_ha {

namespace {

constexpr instant base{hours{470'000}};

const std::map<std::string, ha_phase> phases{
  {"Dis", ha_phase::disabled},   {"Inel", ha_phase::ineligible},
  {"Av", ha_phase::available},   {"Sus", ha_phase::suspect},
  {"Chk", ha_phase::checking},   {"Deg", ha_phase::degraded},
  {"Rcg", ha_phase::recovering}, {"Rcd", ha_phase::recovered},
  {"Fcg", ha_phase::fencing},    {"Fcd", ha_phase::fenced},
};

std::string short_name(ha_phase x) {
  for (const auto& [name, phase] : phases)
    if (phase == x)
      return name;
  return "?";
}

std::pair<std::string, std::string> split(const std::string& text, char by) {
  auto i = text.find(by);
  if (i == std::string::npos)
    return {text, ""};
  return {text.substr(0, i), text.substr(i + 1)};
}

power_state power_from(const std::string& text) {
  return text == "On"    ? power_state::on
         : text == "Off" ? power_state::off
                         : power_state::unknown;
}

} // namespace

std::vector<std::string> words(const std::string& text) {
  std::istringstream in{text};
  std::vector<std::string> result;
  for (std::string word; in >> word;)
    result.push_back(word);
  return result;
}

world::world(const scenario& x) : x_(x) {
  settings_
    = {{"health_interval", 10},  {"health_timeout", 10},  {"act_base", 10},
       {"act_cap", 60},          {"act_timeout", 60},     {"max_checks", 10},
       {"degraded_period", 300}, {"recover_timeout", 60}, {"recover_wait", 600},
       {"max_recover", 1},       {"fence_timeout", 60},   {"retry_base", 10},
       {"retry_cap", 250}};
  for (const auto& word : words(x.settings)) {
    auto [key, value] = split(word, '=');
    settings_.at(key) = std::stoi(value);
  }
  for (const auto* word :
       {"enabled=yes", "maintenance=no", "neighbours=1", "power=On",
        "power_commanded=no", "healthy=yes", "activity=active", "recover=ok",
        "fence=ok", "t_health=0", "t_activity=0", "t_recover=0", "t_fence=0"})
    apply(word);
  r_.activity_interval_base = seconds{setting("act_base")};
  r_.activity_interval_max = seconds{setting("act_cap")};
  r_.activity_checks = static_cast<std::uint32_t>(setting("max_checks"));
  r_.degraded_period = seconds{setting("degraded_period")};
  r_.recovery_wait = seconds{setting("recover_wait")};
  r_.recovery_attempts_max = static_cast<std::uint32_t>(setting("max_recover"));
  r_.retry_base = seconds{setting("retry_base")};
  r_.retry_max = seconds{setting("retry_cap")};
  s.since = base;
  for (const auto& word : words(x.given)) {
    auto [key, value] = split(word, '=');
    if (key == "state")
      s.phase = phases.at(value);
    else if (key == "since")
      s.since = base + seconds{std::stoi(value)};
    else if (key == "checks")
      s.checks = static_cast<std::uint32_t>(std::stoi(value));
    else if (key == "failures")
      s.failures = static_cast<std::uint32_t>(std::stoi(value));
    else if (key == "recoveries")
      s.recoveries = static_cast<std::uint32_t>(std::stoi(value));
  }
  if (s.phase == ha_phase::degraded)
    s.due = s.since + r_.degraded_period;
  if (s.phase == ha_phase::suspect) {
    s.last_health = health::unhealthy;
    s.due = s.since;
    if (s.recoveries == 0)
      s.due += backoff(r_.activity_interval_base, r_.activity_interval_max,
                       s.checks + 1);
  }
  if (s.phase == ha_phase::fenced) {
    s.maintenance = true;
    own_maintenance_ = true;
    s.proved_down = proof{"n1", proof_level::power_status, "off", base};
  }
  for (const auto& word : words(x.inputs))
    apply(word);
}

void world::apply(const std::string& change) {
  auto [key, value] = split(change, '=');
  if (key == "restart") {
    running_.clear();
    queue_.push_back(restarted{});
    return;
  }
  auto& answers = inputs_[key];
  answers.clear();
  for (std::string rest = value; !rest.empty();) {
    auto [first, others] = split(rest, '|');
    answers.push_back(first);
    rest = others;
  }
  if (key == "enabled" && value == "no" && s.phase != ha_phase::disabled)
    queue_.push_back(disabled{});
  if (key == "enabled" && value == "yes" && s.phase == ha_phase::disabled)
    queue_.push_back(enabled{});
  if (key == "maintenance" && value == "no" && own_maintenance_) {
    own_maintenance_ = false;
    queue_.push_back(returned{});
  }
}

void world::run() {
  auto script = words(x_.script);
  for (second_ = 0; second_ <= x_.until; ++second_) {
    for (const auto& line : script) {
      auto [when, change] = split(line, ':');
      if (std::stoi(when) == second_)
        apply(change);
    }
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
    if (second_ > 0 && second_ % setting("health_interval") == 0)
      start_health_check();
    drain();
    if (s.due != never && s.due <= now())
      queue_.push_back(deadline{});
    drain();
  }
}

void world::drain() {
  while (!queue_.empty()) {
    auto e = queue_.front();
    queue_.erase(queue_.begin());
    feed(e);
  }
}

void world::feed(const event& e) {
  auto d = step("n1", s, e, r_, now());
  auto from = s.phase;
  s = d.next;
  if (s.phase != from) {
    moves.push_back(at(short_name(from) + ">" + short_name(s.phase)));
    whys.push_back(d.why);
  }
  for (const auto& a : d.actions)
    carry_out(a);
  if (s.phase != from
      && (s.phase == ha_phase::available || s.phase == ha_phase::ineligible))
    look_at_eligibility();
}

void world::carry_out(const action& a) {
  if (const auto* x = std::get_if<tell>(&a)) {
    (codes::is_alert(x->code) ? alerts : events).push_back(at(x->code));
  } else if (std::holds_alternative<ask_permit>(a)) {
    permit_answered e;
    e.act = std::get<ask_permit>(a).act;
    e.granted = true;
    queue_.push_back(e);
  } else if (std::holds_alternative<read_power>(a)) {
    queue_.push_back(power_seen{power_from(input("power")),
                                input("power_commanded") == "yes", "ipmi",
                                now()});
  } else if (std::holds_alternative<check_activity>(a)) {
    operations.push_back(at("activity_check"));
    auto answer = input("activity");
    auto seen = answer == "active"     ? activity::active
                : answer == "inactive" ? activity::inactive
                                       : activity::unknown;
    finish(std::stoi(input("t_activity")), setting("act_timeout"), answer,
           activity_seen{activity::unknown, "timed out"},
           activity_seen{seen, answer});
  } else if (std::holds_alternative<reset_power>(a)) {
    operations.push_back(at("recover"));
    auto answer = input("recover");
    finish(std::stoi(input("t_recover")), setting("recover_timeout"), answer,
           recovery_ended{false, "timed out"},
           recovery_ended{answer == "ok" && input("power") != "Off", answer});
  } else if (std::holds_alternative<enter_maintenance>(a)) {
    operations.push_back(at("maintenance_on"));
    own_maintenance_ = true;
    inputs_["maintenance"] = {"yes"};
  } else if (std::holds_alternative<fence_power>(a)) {
    operations.push_back(at("fence"));
    auto answer = input("fence");
    if (answer == "ok")
      inputs_["power"] = {"Off"};
    finish(std::stoi(input("t_fence")), setting("fence_timeout"), answer,
           fence_ended{false, "timed out", now()},
           fence_ended{answer == "ok", answer, now()});
  } else if (std::holds_alternative<release_instances>(a)) {
    operations.push_back(at("host_down"));
    operations.push_back(at("restart_vms"));
  }
}

void world::finish(int duration, int time_limit, const std::string& answer,
                   event late, event in_time) {
  auto is_late = answer == "hang" || duration > time_limit;
  auto end = second_ + (is_late ? time_limit : duration);
  auto& what = is_late ? late : in_time;
  if (end == second_)
    queue_.push_back(what);
  else
    running_.push_back({end, what});
}

void world::look_at_eligibility() {
  eligibility e;
  if (input("neighbours") == "0")
    e = {false, "no neighbour"};
  else if (input("maintenance") == "yes" && !own_maintenance_)
    e = {false, "in maintenance"};
  else if (input("power") == "Unknown" && s.phase != ha_phase::degraded)
    e = {false, "power unknown"};
  else if (input("power") == "Off" && input("power_commanded") == "yes")
    e = {false, "switched off by command"};
  queue_.push_back(e);
}

void world::start_health_check() {
  switch (s.phase) {
  case ha_phase::available:
  case ha_phase::suspect:
  case ha_phase::checking:
  case ha_phase::degraded:
  case ha_phase::recovered:
  case ha_phase::fenced:
    break;
  default:
    return;
  }
  auto answer = input("healthy");
  finish(std::stoi(input("t_health")), setting("health_timeout"), answer,
         health_seen{health::unhealthy, "timed out"},
         health_seen{answer == "yes" ? health::healthy : health::unhealthy,
                     "1811 refused"});
}

std::string world::phase_word() const {
  return short_name(s.phase);
}

std::string world::input(const std::string& key) {
  auto& answers = inputs_.at(key);
  auto result = answers.front();
  if (answers.size() > 1)
    answers.erase(answers.begin());
  return result;
}

int world::setting(const char* key) const {
  return settings_.at(key);
}

instant world::now() const {
  return base + seconds{second_};
}

std::string world::at(const std::string& what) const {
  return std::to_string(second_) + ":" + what;
}

void check(const scenario& x) {
  INFO(x.title);
  world w{x};
  w.run();
  CHECK(w.moves == words(x.moves));
  CHECK(w.operations == words(x.operations));
  CHECK(w.events == words(x.events));
  CHECK(w.alerts == words(x.alerts));
  auto final = words(x.final);
  REQUIRE(final.size() == 5);
  CHECK(w.phase_word() == final[0]);
  CHECK(std::to_string(w.s.checks) == final[1]);
  CHECK(std::to_string(w.s.failures) == final[2]);
  CHECK(std::to_string(w.s.unknowns) == final[3]);
  CHECK(std::to_string(w.s.recoveries) == final[4]);
  for (const auto& why : w.whys)
    CHECK(why.size() > 10);
}

} // namespace orderly::host_ha
