// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/timelines/fleet.hpp"

#include "actors/policy/guards/mass_failure.hpp"

#include <algorithm>
#include <limits>

namespace orderly::sim::timelines {

fleet::fleet(std::size_t count, plan how, const beginning& given,
             const json& inputs)
  : how_(std::move(how)) {
  for (std::size_t i = 0; i < count; ++i)
    hosts_.push_back(std::make_unique<host>(
      how_, given, inputs,
      surroundings{[this, i](const turn& which) { take(i, which); },
                   [this] { return is_mass_failure(); }}));
}

void fleet::set(std::size_t which, const std::string& input,
                const json& value) {
  for (std::size_t i = 0; i < hosts_.size(); ++i)
    if (which == 0 || which == i + 1)
      hosts_[i]->set(input, value);
}

void fleet::restart() {
  lanes_.clear();
  waiting_.clear();
  running_.clear();
  for (auto& x : hosts_)
    x->restart();
}

void fleet::run(int second) {
  second_ = second;
  for (auto& x : hosts_)
    x->enter(second);
  settle();
  for (auto& x : hosts_)
    x->look_at_eligibility();
  settle();
  auto due = std::stable_partition(
    running_.begin(), running_.end(),
    [second](const running_job& x) { return x.ends > second; });
  std::vector<running_job> over{due, running_.end()};
  running_.erase(due, running_.end());
  for (const auto& x : over)
    end(x.what, x.ticket);
  settle();
  gathering_ = true;
  for (auto& x : hosts_)
    x->ask_health();
  gathering_ = false;
  start(operation::health);
  settle();
  for (auto& x : hosts_) {
    x->look_at_deadline();
    settle();
  }
}

/// Until nothing follows any more.
void fleet::settle() {
  for (auto any = true; any;) {
    any = false;
    for (auto& x : hosts_)
      any = x->drain() || any;
  }
}

void fleet::take(std::size_t i, const turn& which) {
  auto kind = which.kind;
  // Of health checks the host that was looked at longest ago goes first.
  auto since = kind == operation::health ? hosts_[i]->last_health()
                                         : instant{seconds{second_}};
  auto got = lanes_[kind].offer(since, bounds_of(kind));
  waiting_[{kind, got.mine}] = {i, which};
  if (!got.admitted)
    refuse(kind, got.mine);
  if (got.displaced)
    refuse(kind, *got.displaced);
  if (!gathering_)
    start(kind);
}

void fleet::refuse(operation kind, lane::ticket ticket) {
  auto x = waiting_.extract({kind, ticket}).mapped();
  ++refused_;
  hosts_[x.host]->refuse(x.which);
}

void fleet::start(operation kind) {
  auto& line = lanes_[kind];
  while (auto ticket = line.next(bounds_of(kind))) {
    auto x = waiting_.extract({kind, *ticket}).mapped();
    auto ends = hosts_[x.host]->begin(x.which);
    if (!ends)
      line.ended(*ticket);
    else if (*ends <= second_)
      end(x, *ticket);
    else
      running_.push_back({*ends, *ticket, x});
  }
}

void fleet::end(const job& x, lane::ticket ticket) {
  lanes_[x.which.kind].ended(ticket);
  hosts_[x.host]->finish(x.which);
  start(x.which.kind);
}

lane::bounds fleet::bounds_of(operation kind) const {
  auto count = [this](const char* key) {
    return static_cast<std::uint32_t>(how_.settings.at(key));
  };
  constexpr auto endless = std::numeric_limits<std::uint32_t>::max();
  switch (kind) {
  case operation::health:
    return {count("health_conc"), count("health_pending")};
  case operation::activity:
    return {count("act_conc"), count("act_pending")};
  case operation::recover: // what is to be recovered or fenced is never dropped
    return {count("recover_conc"), endless};
  case operation::fence:
    return {count("fence_conc"), endless};
  }
  return {};
}

bool fleet::is_mass_failure() const {
  std::uint32_t managed = 0;
  std::uint32_t away = 0;
  for (const auto& x : hosts_) {
    managed += x->phase() == ha_phase::disabled ? 0 : 1;
    away
      += x->phase() == ha_phase::disabled || x->phase() == ha_phase::available
           ? 0
           : 1;
  }
  return orderly::is_mass_failure(away, managed, how_.guard_ratio);
}

} // namespace orderly::sim::timelines
