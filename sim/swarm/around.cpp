// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/around.hpp"

#include "sim/swarm/any_fault.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// Both ways, small steps as likely as large ones: up to 2^`doublings` ms.
millis somewhat(dice& d, std::uint64_t doublings) {
  auto most = std::int64_t{1} << d.below(doublings + 1);
  return millis{d.between(-most, most)};
}

class mover {
public:
  mover(const drill& home, std::uint64_t number)
    : d_(dice_for(number, "around")), x_(home) {
    // nop
  }

  drill run() {
    auto little = std::uint64_t{13}; // eight seconds
    auto much = std::uint64_t{19};   // nine minutes
    switch (d_.below(4)) {
    case 0:
      move(little);
      break;
    case 1:
      move(much);
      break;
    case 2:
      change_order();
      move(little);
      break;
    default:
      add_fault();
      move(d_.below(2) == 0 ? little : much);
    }
    // Another order of equal events and other durations, in the same world.
    if (d_.below(2) == 0 && !x_.world.starts_with("made-"))
      x_.seed = d_.next() >> 32;
    std::stable_sort(x_.events.begin(), x_.events.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
    x_.expected.clear();
    x_.text = write_head(x_);
    return std::move(x_);
  }

private:
  void move(std::uint64_t doublings) {
    // All of them, or every other one on the average.
    auto each = d_.below(2) == 0;
    for (auto& e : x_.events)
      if (each || d_.below(2) == 0)
        e.at = std::clamp(e.at + somewhat(d_, doublings), millis{0}, x_.length);
    for (auto& t : x_.triggers)
      if (each || d_.below(2) == 0)
        t.after
          = std::clamp(t.after + somewhat(d_, doublings), millis{0}, x_.length);
  }

  void change_order() {
    if (x_.events.size() < 2)
      return;
    for (auto times = 1 + d_.below(2); times > 0; --times) {
      auto& a = x_.events[d_.below(x_.events.size())];
      auto& b = x_.events[d_.below(x_.events.size())];
      std::swap(a.fault, b.fault);
    }
  }

  /// Beside one of the others, or anywhere.
  void add_fault() {
    auto plan = plan_named(x_.world, x_.seed);
    if (!plan)
      return;
    std::optional<mishap> more;
    while (!more)
      more = draw_fault(d_, *plan, pick(d_, fault_sorts()));
    auto at = millis{d_.between(0, x_.length.count())};
    if (!x_.events.empty() && d_.below(3) != 0)
      at = std::clamp(pick(d_, x_.events).at + somewhat(d_, 17), millis{0},
                      x_.length);
    x_.events.push_back({at, more->fault});
    auto lasts = seconds{static_cast<std::int64_t>(1 + d_.below(600))};
    if (!more->repair.empty())
      x_.events.push_back({at + lasts, more->repair});
  }

  dice d_;
  drill x_;
};

} // namespace

drill neighbour(const drill& home, std::uint64_t number) {
  return mover{home, number}.run();
}

std::optional<swarm_failure>
play_neighbour(const drill& home, const settings& rules, std::uint64_t number) {
  auto story = neighbour(home, number);
  auto outcome = play(story, rules, ending::when_settled);
  auto is_safety = [](const broken_law& x) { return x.name.starts_with("S"); };
  auto law
    = std::find_if(outcome.broken.begin(), outcome.broken.end(), is_safety);
  if (law == outcome.broken.end())
    return std::nullopt;
  swarm_failure failure;
  failure.seed = number;
  failure.law = *law;
  failure.step = outcome.steps;
  failure.shrunk = shrink(story, rules, law->name, failure.shrink_runs);
  return failure;
}

} // namespace orderly::sim
