// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/walk.hpp"

#include "sim/walk/crowd.hpp"
#include "sim/walk/provoke.hpp"
#include "sim/walk/trace.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <ostream>
#include <vector>

namespace orderly::sim::walking {

namespace {

/// What was told least in that state, of what can be brought about there; of
/// equals any.
input rarest(const tally& all, ha_phase in, dice& d) {
  std::vector<input> found;
  auto least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < inputs; ++i) {
    auto what = static_cast<input>(i);
    if (why_never(in, what) || comes_late(in, what))
      continue;
    auto count = all.count_of(in, what);
    if (count < least)
      found.clear();
    least = std::min(least, count);
    if (count == least)
      found.push_back(what);
  }
  return found.empty() ? input::due : found[d.below(found.size())];
}

input any(ha_phase in, dice& d) {
  for (;;) {
    auto what = static_cast<input>(d.below(inputs));
    if (!why_never(in, what))
      return what;
  }
}

/// What moves it on towards a fence.
constexpr input onwards[]
  = {input::health_failed,   input::inactive,     input::permit_granted,
     input::reset_failed,    input::reset_worked, input::due,
     input::fence_confirmed, input::active};

bool rests(ha_phase x) {
  return x == ha_phase::disabled || x == ha_phase::ineligible
         || x == ha_phase::fenced;
}

bool acts(ha_phase x) {
  return x == ha_phase::recovering || x == ha_phase::fencing;
}

/// Back to where trouble begins; what is fenced is returned first.
void bring_back(crowd& nodes, host& x, dice& d) {
  if (x.phase == ha_phase::fenced)
    provoke(nodes, x, input::returned, d);
  settle_down(x);
  nodes.read(x);
}

void do_something(crowd& nodes, host& x, const tally& all, dice& d) {
  auto throwing = d.below(100);
  if (rests(x.phase) && throwing < 25)
    bring_back(nodes, x, d);
  else if (acts(x.phase) && throwing < 40)
    divert(nodes, x, d);
  else if (throwing < 65)
    provoke(nodes, x, rarest(all, x.phase, d), d);
  else if (throwing < 70)
    provoke(nodes, x, any(x.phase, d), d);
  else if (throwing < 82)
    provoke(nodes, x, onwards[d.below(std::size(onwards))], d);
  else if (throwing < 90)
    stir(x, d);
  else
    divert(nodes, x, d);
}

/// Picks a node, has something done to it, and lets time pass.
void one_turn(crowd& nodes, const tally& all, dice& d) {
  auto i = std::next(nodes.all().begin(),
                     static_cast<long>(d.below(nodes.all().size())));
  do_something(nodes, i->second, all, d);
  nodes.run_for(millis{d.between(50, 1500)});
  for (auto& [name, each] : nodes.all())
    if (d.chance(50))
      nodes.read(each);
}

} // namespace

walk_wish::walk_wish() : by(walk_limits()) {
  // nop
}

tally walk(const walk_wish& what) {
  tally all{{what.table, what.least, what.by}};
  constexpr std::uint64_t told_every = 100'000;
  auto d = dice_for(what.seed, "walk");
  crowd* nodes = nullptr;
  crowd built{what.seed, what.nodes, [&](const machine_step& step) {
                all.count(step);
                if (what.trace != nullptr)
                  *what.trace
                    << trace_line(step, nodes ? nodes->begin() : step.at,
                                  nodes ? nodes->life() : 1)
                    << '\n';
                if (what.progress && all.events() % told_every == 0)
                  what.progress(all.events());
              }};
  nodes = &built;
  while (all.events() < what.events)
    one_turn(built, all, d);
  return all;
}

} // namespace orderly::sim::walking
