// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab/lab.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::sim {

std::string stamp(instant start, instant at) {
  auto s = std::chrono::duration_cast<seconds>(at - start).count();
  if (s >= 3600)
    return fmt::format("+{}h{:02}m{:02}s", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("+{}m{:02}s", s / 60, s % 60);
}

lab::lab(const world_plan& plan, settings rules, std::uint64_t seed)
  : clock_(std::make_unique<clockwork>(seed)) {
  auto state = std::make_shared<lab_state>(plan, std::move(rules));
  state->epoch_steady = clock_->now();
  start_ = state->epoch_wall;
  state->advance(start_);
  state->truth.on_event(
    [this](const std::string& text) { line("world", text); });
  hosts_.push_back(std::make_unique<host>(
    *clock_, std::move(state),
    host_listener{[this](const std::string& who, const std::string& what) {
                    line(who, what);
                  },
                  [this](const journal_entry& e) {
                    if (on_entry)
                      on_entry(e);
                  }}));
  clock_->after_step = [this] { return look(); };
  start_daemon();
}

lab::~lab() {
  clock_->after_step = nullptr;
  while (!hosts_.empty())
    hosts_.pop_back();
}

instant lab::now() {
  return state().wall(clock_->now());
}

void lab::line(const std::string& who, const std::string& what) {
  auto at = now();
  last_line_ = at;
  for (auto c : fmt::format("{} {} {}\n", to_ms(at), who, what))
    hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  if (on_line)
    on_line(at, who, what);
}

bool lab::look() {
  for (const auto& x : hosts_) {
    auto found = x->look();
    broken_.insert(broken_.end(), found.begin(), found.end());
  }
  return broken_.empty() && !any_lost();
}

void lab::run_until(instant end) {
  // While our machine is suspended the world goes on and no timer runs.
  if (auto until = std::min(end, state().suspended_until); until > now()) {
    auto asleep = std::chrono::duration_cast<millis>(until - now());
    jump_clocks({asleep, millis{0}});
    state().epoch_wall += asleep;
    state().advance(now());
    look();
  }
  auto at = clock_->now() + (end - now());
  do
    clock_->run_until(at);
  while (lose_hosts());
  state().advance(now());
}

host* lab::host_at(const node_name& name) {
  for (const auto& x : hosts_)
    if (name.empty() || x->state().self() == name)
      return x.get();
  return nullptr;
}

std::string lab::apply(const std::string& fault) {
  state().advance(now());
  auto [on, text] = address(fault);
  auto* who = host_at(on);
  if (!who)
    return "no daemon runs on " + on;
  if (is_command_line(text))
    return who->enter(text);
  auto order = parse_fault(text);
  if (!order)
    return order.why().text;
  // All daemons live by one clock, which stands still while one sleeps.
  if (order->verb == "suspend" && hosts_.size() > 1)
    return "of two daemons none can be suspended";
  // Whom a person asks to move an instance is the master.
  if (auto* master = host_at(state().master().who);
      on.empty() && order->verb == "migrate" && master)
    who = master;
  auto trouble = who->apply(*order);
  if (state().second_asked)
    trouble = begin_second();
  lose_hosts();
  look(); // without a daemon no step may come for long
  return trouble;
}

/// With an own journal and calendar, and the same settings.
std::string lab::begin_second() {
  auto wanted = *std::exchange(state().second_asked, std::nullopt);
  if (hosts_.size() > 1)
    return "there are two daemons already";
  if (state().suspended_until > now())
    return "the first daemon's machine is suspended";
  auto at = "@" + wanted.at;
  hosts_.push_back(std::make_unique<host>(
    *clock_,
    std::make_shared<lab_state>(first().state_pointer(), wanted.at,
                                wanted.split),
    host_listener{[this, at](const std::string& who, const std::string& what) {
                    line(who + at, what);
                  },
                  [](const journal_entry&) {}}));
  hosts_.back()->start_daemon();
  return {};
}

/// Of two daemons one may fall with its machine. A single one is not part of
/// what fails: nothing would be left to look at.
bool lab::any_lost() const {
  return hosts_.size() > 1
         && std::any_of(hosts_.begin(), hosts_.end(), [](const auto& x) {
              return x->daemon_runs() && x->is_lost();
            });
}

/// Between two steps; were there any?
bool lab::lose_hosts() {
  if (!any_lost())
    return false;
  for (const auto& x : hosts_)
    if (x->is_lost()) {
      x->state().daemon_wanted = false; // until somebody starts it again
      x->kill_daemon();
    }
  return true;
}

bool lab::is_settled() {
  constexpr millis calm = minutes{15};
  constexpr liveness_bounds at_once{millis{0}, millis{0}, millis{0}, millis{0},
                                    millis{0}};
  return broken_.empty() && now() - last_line_ >= calm
         && std::all_of(hosts_.begin(), hosts_.end(), [&](const auto& x) {
              return x->check_liveness(at_once).empty();
            });
}

void lab::check_liveness(const liveness_bounds& bounds) {
  for (const auto& x : hosts_) {
    auto found = x->check_liveness(bounds);
    broken_.insert(broken_.end(), found.begin(), found.end());
  }
}

} // namespace orderly::sim
