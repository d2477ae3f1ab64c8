// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/budget.hpp"

#include "messages/fields.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace orderly::budget {

namespace {

constexpr millis window = hours{1};

answer judge(const std::deque<instant>& acts, std::uint32_t max,
             const char* what, instant now) {
  auto is_old = [now](instant t) { return now - t >= window; };
  auto first = std::find_if_not(acts.begin(), acts.end(), is_old);
  auto used = static_cast<std::size_t>(acts.end() - first);
  if (used < max)
    return {};
  answer result;
  result.go = false;
  result.why
    = fmt::format("budget: {} of {} {} used this hour", used, max, what);
  // With a lowered limit more than the oldest has to leave. With none at all
  // no time would do; asking once a window is cheap.
  result.retry_at = max == 0
                      ? now + window
                      : first[static_cast<std::ptrdiff_t>(used - max)] + window;
  return result;
}

void add(std::deque<instant>& acts, instant now) {
  acts.insert(std::upper_bound(acts.begin(), acts.end(), now), now);
}

/// Reinstalls are counted with the failovers.
bool starts_elsewhere(act_kind act) {
  return act == act_kind::failover || act == act_kind::reinstall;
}

void forget_old(std::deque<instant>& acts, instant now) {
  while (!acts.empty() && now - acts.front() >= window)
    acts.pop_front();
}

} // namespace

answer may_act(const state& s, act_kind act, const rules& r, instant now) {
  if (act == act_kind::fence || act == act_kind::reset)
    return judge(s.fences, r.fences_per_hour_max, "fences", now);
  if (starts_elsewhere(act))
    return judge(s.failovers, r.failovers_per_hour_max, "failovers", now);
  return {};
}

state spend(const state& s, act_kind act, instant now) {
  auto next = s;
  forget_old(next.fences, now);
  forget_old(next.failovers, now);
  if (act == act_kind::fence || act == act_kind::reset)
    add(next.fences, now);
  else if (starts_elsewhere(act))
    add(next.failovers, now);
  return next;
}

state give_back(const state& s, act_kind act, instant when) {
  auto next = s;
  auto& acts = starts_elsewhere(act) ? next.failovers : next.fences;
  auto spent = std::find(acts.begin(), acts.end(), when);
  if (is_destructive(act) && spent != acts.end())
    acts.erase(spent);
  return next;
}

void date(state& s, instant now, bool aged, const set_ahead& calendar) {
  for (auto* acts : {&s.fences, &s.failovers}) {
    auto later = millis{0};
    if (aged && !acts->empty())
      later = now - calendar.dated(acts->back());
    for (auto& t : *acts)
      t = std::min(calendar.dated(t) + later, now);
  }
}

std::string to_text(const std::deque<instant>& acts) {
  std::string result;
  for (auto t : acts) {
    if (!result.empty())
      result += '+';
    result += dated(t);
  }
  return result;
}

std::deque<instant> from_text(const std::string& text) {
  std::deque<instant> result;
  std::string_view rest = text;
  while (!rest.empty()) {
    auto end = std::min(rest.find('+'), rest.size());
    auto word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    // A word that is no instant takes nothing else with it.
    if (auto t = instant_of(word); t != never)
      result.push_back(t);
  }
  std::sort(result.begin(), result.end());
  return result;
}

} // namespace orderly::budget
