// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab/reaction.hpp"

#include "messages/codes.hpp"
#include "sim/lab/lab.hpp"

namespace orderly::sim {

namespace {

void note(reaction& r, const journal_entry& e, instant broken) {
  if (e.at < broken)
    return;
  auto after = e.at - broken;
  if (e.kind == entry_kind::alert)
    ++r.alerts;
  if (e.kind == entry_kind::intent && e.code.starts_with("power-")) {
    ++r.power_acts;
    if (e.code == codes::power_cycle && !r.reset)
      r.reset = after;
  }
  auto failover = e.code == codes::job_submitted && e.job
                  && e.job->kind == op_kind::instance_failover;
  if (!failover)
    return;
  if (!r.first_failover)
    r.first_failover = after;
  r.last_failover = after;
}

} // namespace

reaction measure_reaction(const reaction_plan& plan, const settings& rules,
                          std::uint64_t seed) {
  reaction r;
  auto made = plan_named(plan.world, seed);
  if (!made)
    return r;
  lab l{*made, rules, seed};
  auto d = dice_for(seed, "reaction");
  l.run_for(minutes{2} + millis{static_cast<std::int64_t>(d.below(5000))});
  auto broken = l.now();
  l.on_entry = [&](const journal_entry& e) { note(r, e, broken); };
  auto count = static_cast<std::int64_t>(plan.faults.size());
  for (std::int64_t i = 0; i < count; ++i) {
    l.run_until(broken
                + (count > 1 ? plan.spread * i / (count - 1) : millis{}));
    l.apply(plan.faults[static_cast<std::size_t>(i)]);
  }
  if (!plan.heals.empty()) {
    l.run_until(broken + plan.heal_after);
    for (const auto& heal : plan.heals)
      l.apply(heal);
  }
  l.run_until(broken + plan.watch);
  r.broken_laws = static_cast<std::uint32_t>(l.broken().size());
  return r;
}

} // namespace orderly::sim
