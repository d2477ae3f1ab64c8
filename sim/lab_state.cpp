// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab_state.hpp"

#include <utility>

namespace orderly::sim {

namespace {

world make_world(const world_plan& plan, instant now) {
  world result;
  result.advance(now);
  for (const auto& x : plan.nodes)
    result.add_node(x.name);
  result.set_self(plan.master);
  for (const auto& x : plan.instances) {
    if (x.admin == admin_state::up)
      result.start(x.name, x.primary);
    if (is_external(x.disks) || x.disks == disk_template::diskless)
      continue;
    std::set<node_name> copies{x.secondaries.begin(), x.secondaries.end()};
    copies.insert(x.primary);
    result.set_copies(x.name, std::move(copies));
  }
  for (const auto& x : plan.nodes)
    if (!x.powered.value_or(!x.offline))
      result.set_power(x.name, false);
  return result;
}

} // namespace

lab_state::lab_state(const world_plan& plan, settings rules_in, instant start)
  : epoch_wall(start),
    seed(plan.seed),
    rules(std::move(rules_in)),
    truth(make_world(plan, epoch_wall)),
    cluster(plan, truth, plan.seed),
    journal(plan.seed),
    luck(dice_for(plan.seed, "ports")) {
  journal.on_durable(
    [this](const journal_entry&) { history.push_back(happening::entry); });
  cluster.on_enqueued = [this] { history.push_back(happening::job); };
}

void lab_state::note(const power_deed& deed) {
  power_deeds.push_back(deed);
  history.push_back(happening::deed);
}

void lab_state::note(const person_order& order) {
  orders.push_back(order);
  history.push_back(happening::order);
  const auto* word = std::get_if<confirm_errand>(&order.wanted.what);
  if (word && order.step == order_step::asked && truth.has(word->node)
      && truth.node(word->node).powered)
    ++lies_told[word->node];
}

millis lab_state::port_delay(std::int64_t least, std::int64_t most) {
  return prompt_ports ? millis{1} : millis{luck.between(least, most)};
}

instant lab_state::wall(steady_point t) const {
  return epoch_wall + std::chrono::floor<millis>(t - epoch_steady);
}

void lab_state::advance(instant now) {
  // Step by step, so that each job sees the time at which it acts.
  for (auto next = cluster.next_event(); next != never && next <= now;
       next = cluster.next_event()) {
    truth.advance(next);
    cluster.advance();
  }
  truth.advance(now);
}

} // namespace orderly::sim
