// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/state/lab_state.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

namespace {

std::unique_ptr<world> make_world(const world_plan& plan, instant now) {
  auto made = std::make_unique<world>();
  auto& result = *made;
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
  return made;
}

} // namespace

lab_state::lab_state(const world_plan& plan, settings rules_in, instant start)
  : own_truth_(make_world(plan, start)),
    own_cluster_(std::make_shared<ganeti>(plan, *own_truth_, plan.seed)),
    epoch_wall(start),
    seed(plan.seed),
    rules(std::move(rules_in)),
    truth(*own_truth_),
    cluster(*own_cluster_),
    journal(plan.seed),
    luck(dice_for(plan.seed, "ports")),
    luck_beside(dice_for(plan.seed, "ports beside")),
    masters_{own_cluster_} {
  listen();
}

lab_state::lab_state(std::shared_ptr<lab_state> first, const node_name& at,
                     bool split)
  : first_(std::move(first)),
    own_cluster_(split ? first_->cluster.split(at) : first_->own_cluster_),
    self_(at),
    epoch_steady(first_->epoch_steady),
    epoch_wall(first_->epoch_wall),
    seed(dice_for(first_->seed, at).next()),
    rules(first_->rules),
    truth(first_->truth),
    cluster(*own_cluster_),
    journal(seed),
    luck(dice_for(seed, "ports")),
    luck_beside(dice_for(seed, "ports beside")) {
  if (split)
    first_->masters_.push_back(own_cluster_);
  listen();
}

lab_state::~lab_state() = default;

void lab_state::listen() {
  journal.on_durable(
    [this](const journal_entry&) { history.push_back(happening::entry); });
  cluster.on_enqueued([this] { history.push_back(happening::job); });
}

void lab_state::note(const power_deed& deed) {
  power_deeds.push_back(deed);
  history.push_back(happening::deed);
  if (deed.ended && deed.lie && deed.state == power_state::off)
    note_lie(deed.node, deed.at);
}

void lab_state::note(const person_order& order) {
  orders.push_back(order);
  history.push_back(happening::order);
  const auto* word = std::get_if<confirm_errand>(&order.wanted.what);
  if (word && order.step == order_step::asked && truth.has(word->node)
      && truth.node(word->node).powered) {
    ++lies_told[word->node];
    note_lie(word->node, order.at);
  }
}

void lab_state::note_lie(const node_name& node, instant at) {
  origin().lies_[self()][node] = at;
}

instant lab_state::lied_elsewhere(const node_name& node) const {
  instant result;
  for (const auto& [who, lies] : origin().lies_)
    if (auto i = lies.find(node); who != self() && i != lies.end())
      result = std::max(result, i->second);
  return result;
}

bool lab_state::is_mute() const {
  return !daemon_wanted || cluster.habits.luxi_down
         || journal.mood != disk_mood::ok || journal.replaced()
         || master().who != self();
}

lab_state::mastership lab_state::master() const {
  const auto& newest = *origin().masters_.back();
  return {newest.record().master, newest.master_since()};
}

void lab_state::note(const pause_word& word) {
  pause_words.push_back(word);
  history.push_back(happening::pause);
}

void lab_state::note(const stop_word& word) {
  stop_words.push_back(word);
  history.push_back(happening::stop);
}

millis lab_state::port_delay(std::int64_t least, std::int64_t most) {
  return prompt_ports ? millis{1} : millis{luck.between(least, most)};
}

millis lab_state::answer_delay(bool beside, std::int64_t most) {
  return beside && !prompt_ports ? millis{luck_beside.between(1, most)}
                                 : port_delay(1, most);
}

instant lab_state::wall(steady_point t) const {
  return epoch_wall + std::chrono::floor<millis>(t - epoch_steady);
}

void lab_state::advance(instant now) {
  // Step by step, so that each job sees the time at which it acts.
  const auto& all = origin().masters_;
  for (;;) {
    ganeti* next = nullptr;
    for (const auto& x : all)
      if (auto due = x->next_event();
          due != never && due <= now && (!next || due < next->next_event()))
        next = x.get();
    if (!next)
      break;
    truth.advance(next->next_event());
    next->advance();
  }
  truth.advance(now);
  origin().hear_of_master();
}

/// The new master sends its configuration to every node that it reaches.
void lab_state::hear_of_master() {
  const auto& newest = masters_.back()->record().master;
  for (const auto& x : masters_)
    if (x->record().master != newest && truth.answers(newest, self()))
      x->set_master(newest);
}

} // namespace orderly::sim
