// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/power/turns.hpp"

#include "actors/power/report.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

using namespace oob_parts;
using operation = oob_state::operation;

/// Among the orders of one node: acts first, and a person's before ours.
int rank(const operation& op) {
  return (is_reading(op.order.verb) ? 2 : 0) + (op.order.who.empty() ? 1 : 0);
}

enum class lane { acts, resets, persons_readings, readings, slow_readings };

/// By host HA: it takes until the node is on again, and nobody's instances wait
/// for it as they do for a fence.
bool is_reset(const operation& op) {
  return op.order.verb == power_verb::cycle && op.order.who.empty();
}

std::uint32_t resets_running(const oob_state& st) {
  return static_cast<std::uint32_t>(
    std::count_if(st.active.begin(), st.active.end(),
                  [](const auto& x) { return is_reset(x.second); }));
}

lane lane_of(const oob_state& st, const operation& op) {
  if (!is_reading(op.order.verb))
    return is_reset(op) ? lane::resets : lane::acts;
  if (waits_slowly(st, op))
    // One of them is always under way: they wait, but not for ever.
    return st.slow_running == 0 ? lane::readings : lane::slow_readings;
  return op.order.who.empty() ? lane::readings : lane::persons_readings;
}

} // namespace

bool oob_parts::waits_slowly(const oob_state& st, const operation& op) {
  return is_reading(op.order.verb) && st.slow.count(op.order.node) != 0;
}

std::optional<node_name> oob_parts::next_node(const oob_state& st,
                                              std::uint32_t slots) {
  auto slow_max = std::max<std::uint32_t>(slots / 2, 1);
  auto may_reset = resets_running(st) < slow_max;
  std::optional<std::tuple<lane, std::uint64_t, node_name>> best;
  for (const auto& [node, orders] : st.waiting) {
    const auto& op = orders.front();
    if (st.active.count(node) != 0
        || (waits_slowly(st, op) && st.slow_running >= slow_max)
        || (is_reset(op) && !may_reset))
      continue;
    auto candidate = std::tuple{lane_of(st, op), op.arrived, node};
    if (!best || candidate < *best)
      best = std::move(candidate);
  }
  if (!best)
    return std::nullopt;
  return std::get<node_name>(*best);
}

operation oob_parts::take(oob_state& st, const node_name& node) {
  auto i = st.waiting.find(node);
  auto op = std::move(i->second.front());
  i->second.pop_front();
  if (i->second.empty())
    st.waiting.erase(i);
  --st.queued;
  return op;
}

void oob_parts::enqueue(oob_state& st, operation op) {
  auto& queue = st.waiting[op.order.node];
  auto place
    = std::find_if(queue.begin(), queue.end(),
                   [&](const operation& x) { return rank(x) > rank(op); });
  op.arrived = ++st.next_ticket;
  queue.insert(place, std::move(op));
  ++st.queued;
}

power_report oob_parts::refused(const oob_state& st, const power_order& order,
                                std::string why, instant at) {
  auto report = refusal(order, std::move(why), at);
  report.wish = wish_for(st.wishes, order.node);
  return report;
}

void oob_parts::withdraw(oob_state& st, const power_withdraw& what,
                         instant at) {
  if (what.intent.empty())
    return;
  auto active = st.active.find(what.node);
  if (active != st.active.end() && active->second.order.intent == what.intent)
    active->second.unwanted = true;
  auto waiting = st.waiting.find(what.node);
  if (waiting == st.waiting.end())
    return;
  auto& queue = waiting->second;
  auto i = std::find_if(queue.begin(), queue.end(), [&](const operation& x) {
    return x.order.intent == what.intent;
  });
  if (i == queue.end())
    return;
  auto op = std::move(*i);
  queue.erase(i);
  if (queue.empty())
    st.waiting.erase(waiting);
  --st.queued;
  auto report = refused(st, op.order, "withdrawn before its turn came", at);
  report.withdrawn = true;
  op.promise.deliver(std::move(report));
}

void oob_parts::drop_decided_before(oob_state& st, const power_order& persons,
                                    instant at) {
  auto waiting = st.waiting.find(persons.node);
  if (waiting == st.waiting.end())
    return;
  auto& queue = waiting->second;
  for (auto i = queue.begin(); i != queue.end();) {
    if (!i->order.who.empty() || is_reading(i->order.verb)) {
      ++i;
      continue;
    }
    auto report = refused(st, i->order,
                          fmt::format("it was decided before {} switched the "
                                      "node",
                                      persons.who),
                          at);
    report.by_wish = true;
    report.held_back = true; // for certain
    i->promise.deliver(std::move(report));
    i = queue.erase(i);
    --st.queued;
  }
  if (queue.empty())
    st.waiting.erase(waiting);
}

} // namespace orderly
