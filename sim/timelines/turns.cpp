// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a host does when it is its turn, and how long that takes.

#include "sim/timelines/host.hpp"

#include <utility>

namespace orderly::sim::timelines {

namespace {

/// In these it is checked on the beat.
bool is_checked(ha_phase x) {
  return x == ha_phase::available || x == ha_phase::suspect
         || x == ha_phase::checking || x == ha_phase::degraded
         || x == ha_phase::fenced;
}

} // namespace

void host::ask(operation kind) {
  auto& x = awaited_[kind];
  x = {x.number + 1, std::nullopt};
  around_.queue({kind, x.number});
}

bool host::is_wanted(operation kind) const {
  switch (kind) {
  case operation::health:
    return is_checked(s_.phase) || s_.phase == ha_phase::recovered;
  case operation::activity:
    return s_.phase == ha_phase::checking && !s_.wants;
  case operation::recover:
    return s_.phase == ha_phase::recovering && s_.recovery_dispatched;
  case operation::fence:
    return s_.phase == ha_phase::fencing && s_.fence_dispatched;
  }
  return false;
}

std::optional<int> host::begin(const turn& which) {
  auto& x = awaited_[which.kind];
  if (x.number != which.number)
    return std::nullopt;
  if (!is_wanted(which.kind)) {
    refuse(which);
    return std::nullopt;
  }
  auto hangs = false;
  x.result = answer_of(which.kind, hangs);
  static const std::map<operation, std::pair<const char*, const char*>> keys{
    {operation::health, {"t_health", "health_timeout"}},
    {operation::activity, {"t_activity", "act_timeout"}},
    {operation::recover, {"t_recover", "recover_timeout"}},
    {operation::fence, {"t_fence", "fence_timeout"}}};
  auto [time, time_limit] = keys.at(which.kind);
  auto limit = how_.settings.at(time_limit);
  auto takes = inputs_.next(time).get<std::int64_t>();
  if (hangs || takes > limit) {
    takes = limit;
    if (which.kind == operation::health)
      x.result = host_ha::health_seen{health::unhealthy, "timed out"};
    else if (which.kind == operation::activity)
      x.result = host_ha::activity_seen{activity::unknown, "timed out"};
    else if (which.kind == operation::recover)
      x.result = host_ha::recovery_ended{false, "timed out"};
    else
      x.result = host_ha::fence_ended{false, "timed out", now()};
  }
  return second_ + static_cast<int>(takes);
}

host_ha::event host::answer_of(operation kind, bool& hangs) {
  if (kind == operation::health) {
    ++health_checks_;
    auto answer = inputs_.next("healthy");
    hangs = answer == "hang";
    return host_ha::health_seen{
      answer == true ? health::healthy : health::unhealthy, "1811 refused"};
  }
  if (kind == operation::activity) {
    note(seen_.operations, "activity_check");
    auto answer = inputs_.word("activity");
    hangs = answer == "hang";
    return host_ha::activity_seen{answer == "active"     ? activity::active
                                  : answer == "inactive" ? activity::inactive
                                                         : activity::unknown,
                                  answer};
  }
  if (kind == operation::recover) {
    note(seen_.operations, "recover");
    auto answer = inputs_.word("recover");
    hangs = answer == "hang";
    return host_ha::recovery_ended{
      answer == "ok" && inputs_.word("power") != "Off", answer};
  }
  note(seen_.operations, "fence");
  auto answer = inputs_.word("fence");
  hangs = answer == "hang";
  if (answer == "ok")
    inputs_.set("power", "Off");
  return host_ha::fence_ended{answer == "ok", answer, now()};
}

void host::finish(const turn& which) {
  auto& x = awaited_[which.kind];
  if (x.number != which.number || !x.result) {
    // Of another time: it changes nothing, counters included.
    note(seen_.events, "X.STALE_RESULT_IGNORED");
    return;
  }
  if (which.kind == operation::health) {
    checking_health_ = false;
    last_health_ = now();
  }
  queue_.push_back(*std::exchange(x.result, std::nullopt));
  if (which.kind == operation::health && s_.phase == ha_phase::recovered)
    queue_.push_back(host_ha::deadline{});
}

void host::refuse(const turn& which) {
  if (which.kind == operation::health)
    checking_health_ = false;
  else if (which.kind == operation::activity)
    queue_.push_back(host_ha::activity_refused{});
}

bool host::ask_health() {
  auto beat = second_ > 0 && second_ % how_.settings.at("health_interval") == 0;
  auto refused_before = is_wait_over() && wait_check_asked_;
  if (!beat || checking_health_ || !(is_checked(s_.phase) || refused_before))
    return false;
  checking_health_ = true;
  ask(operation::health);
  return true;
}

bool host::is_wait_over() const {
  return s_.phase == ha_phase::recovered && s_.due <= now();
}

void host::look_at_deadline() {
  wait_check_asked_ = wait_check_asked_ && is_wait_over();
  if (s_.due == never || s_.due > now())
    return;
  if (!is_wait_over() || !s_.eligible) {
    queue_.push_back(host_ha::deadline{});
  } else if (!wait_check_asked_) {
    // Nobody looks during the wait; a check of its own ends it.
    wait_check_asked_ = true;
    checking_health_ = true;
    ask(operation::health);
  }
}

} // namespace orderly::sim::timelines
