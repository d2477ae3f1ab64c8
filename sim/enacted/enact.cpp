// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/enacted/enact.hpp"

#include "messages/host_view.hpp"
#include "sim/enacted/daemon.hpp"
#include "sim/enacted/prelude.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace orderly::sim::enacted {

namespace {

/// A day like any other.
constexpr instant zero{hours{490'000}};

/// A former owner that stood still goes on after so long: its right to act is
/// over by then.
constexpr int thawed_after = 45;

class performance {
public:
  explicit performance(timelines::timeline what);

  void run();

  [[nodiscard]] json seen() const;

private:
  void begin();
  void check_beginning() const;
  void script(int second);
  void set(const timelines::script_step& step);
  void follow(int second, bool handoff);
  void run_until(instant end);

  void read(host& x) { daemons_.back()->read(x); }

  playground_ptr all_;
  settings rules_;
  walking::paper_ptr book_ = std::make_shared<walking::paper>();
  std::uint64_t seed_ = 1;
  std::vector<std::unique_ptr<daemon>> daemons_; ///< the last one is on duty
  std::vector<std::pair<int, std::size_t>> thaws_;
};

performance::performance(timelines::timeline what)
  : all_(std::make_shared<playground>()) {
  all_->what = std::move(what);
  all_->zero = zero;
  all_->hosts.resize(all_->what.hosts);
  for (auto& x : all_->hosts)
    for (const auto& [input, value] : all_->what.inputs.items())
      x.inputs.set(input, value);
  rules_ = rules_of(*all_);
}

void performance::run_until(instant end) {
  for (auto& x : daemons_)
    if (x->awake())
      x->run_until(end);
}

void performance::begin() {
  auto how = plan_prelude(*all_, rules_);
  name_hosts(*all_, rules_, seed_, to_beat(*all_, how.node_begin));
  book_->worked = how.begin;
  if (how.kept)
    for (const auto& x : all_->hosts)
      keep_state(*book_, x, *all_, how, rules_);
  for (auto& x : all_->hosts)
    renew_facts(*all_, x, how.begin);
  daemons_.push_back(
    std::make_unique<daemon>(all_, book_, birth{how.quick, how.begin, seed_}));
  auto& first = *daemons_.back();
  first.run_until(how.node_begin);
  for (auto& x : all_->hosts) {
    first.begin_node(x);
    read(x);
  }
  if (all_->given_at > how.node_begin)
    first.run_until(all_->given_at);
  first.replace(rules_);
}

/// What is set of one host; it is read once all of its second is.
void performance::set(const timelines::script_step& step) {
  for (std::size_t i = 0; i < all_->hosts.size(); ++i) {
    if (step.host != 0 && step.host != i + 1)
      continue;
    auto& x = all_->hosts[i];
    for (const auto& [input, value] : step.set.items()) {
      x.inputs.set(input, value);
      if (input == "maintenance" && value == false)
        x.marked = false;
    }
  }
}

/// The daemon died, or stands still and another one has its journal.
void performance::follow(int second, bool handoff) {
  auto at = all_->in(second, results_come);
  auto first_check = to_beat(*all_, at);
  seed_ = all_->hosts.size() == 1 ? seed_for(*all_, rules_, first_check) : 1;
  if (handoff) {
    daemons_.back()->freeze();
    book_ = std::make_shared<walking::paper>(*book_);
    thaws_.emplace_back(second + thawed_after, daemons_.size() - 1);
  } else {
    daemons_.pop_back();
  }
  daemons_.push_back(
    std::make_unique<daemon>(all_, book_, birth{rules_, at, seed_}));
  daemons_.back()->run_until(at);
  for (auto& x : all_->hosts) {
    daemons_.back()->begin_node(x);
    read(x);
  }
}

void performance::script(int second) {
  std::vector<const timelines::script_step*> now;
  for (const auto& step : all_->what.script)
    if (step.at == second)
      now.push_back(&step);
  for (const auto* step : now)
    set(*step);
  if (!now.empty() || second == 0)
    for (auto& x : all_->hosts)
      read(x);
  for (const auto* step : now)
    if (step->restart || step->handoff)
      follow(second, step->handoff);
  for (const auto& [when, which] : thaws_)
    if (when == second)
      daemons_[which]->thaw(all_->in(second, script_comes));
}

void performance::check_beginning() const {
  for (const auto& x : all_->hosts)
    if (!x.recorded)
      throw std::invalid_argument{
        std::string{"given: actors did not come into the state "}
        + timelines::spelled(all_->what.given.phase)};
}

void performance::run() {
  begin();
  for (auto second = 0; second <= all_->what.until; ++second) {
    if (second == 0) {
      run_until(all_->in(0, inputs_come));
      for (auto& x : all_->hosts)
        x.recorded = x.recorded || x.state.phase == all_->what.given.phase;
    }
    run_until(all_->in(second, script_comes));
    if (second == 1)
      check_beginning();
    script(second);
  }
  run_until(all_->in(all_->what.until + 1, second_begins - millis{1}));
}

json performance::seen() const {
  std::vector<timelines::onlooker> hosts;
  for (const auto& x : all_->hosts) {
    auto view = view_of(x.state.phase);
    json end{{"vm_ha_view", view ? json(view->host) : json{}},
             {"state", timelines::spelled(x.state.phase)},
             {"checks", x.state.checks},
             {"failures", x.state.failures},
             {"errors", x.state.unknowns},
             {"recoveries", x.state.recoveries}};
    hosts.push_back({x.seen, std::move(end), x.health_checks});
  }
  return timelines::seen_of(hosts, all_->refused);
}

/// What no actor of a node is told.
constexpr const char* never_told[]
  = {"hypervisor", "agent_supports", "volume_supports"};

std::string why_not(const json& set) {
  const auto& usual = timelines::answers{}.all();
  for (const auto* input : never_told)
    if (set.contains(input) && set.at(input) != usual.at(input))
      return std::string{"input \""} + input
             + "\": nobody tells a node's actor of it";
  if (set.contains("power") && set.at("power").is_array())
    return "input \"power\" is a list: actors read it as often as they like";
  return {};
}

std::string why_not(const timelines::timeline& x) {
  if (!x.how.power_off_fast_path)
    return "there is no such setting as power_off_fast_path";
  if (auto why = why_not(x.inputs); !why.empty())
    return why;
  auto beat = x.how.settings.at("health_interval");
  for (const auto& step : x.script) {
    if (auto why = why_not(step.set); !why.empty())
      return why;
    if ((step.restart || step.handoff) && x.hosts > 1 && step.at % beat != 0)
      return "a daemon that starts off the beat checks several hosts off it";
  }
  return {};
}

} // namespace

std::string why_not_playable(const json& scenario) {
  return why_not(timelines::timeline_of(scenario));
}

json watch(const json& scenario) {
  auto what = timelines::timeline_of(scenario);
  if (auto why = why_not(what); !why.empty())
    throw std::invalid_argument{why};
  performance all{std::move(what)};
  all.run();
  return timelines::heard_in(scenario, all.seen());
}

std::vector<timelines::mismatch> play(const json& scenario) {
  return timelines::compare(scenario, watch(scenario));
}

} // namespace orderly::sim::enacted
