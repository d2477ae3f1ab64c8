// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The power desk between neighbours made of glass. What they were told and
// what they did outlives a crash of the desk, as the world does.

#pragma once

#include "actors/desk/desk.hpp"
#include "actors/journal/journal.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <algorithm>

namespace orderly {

/// What bob asks for.
inline errand_request request(decltype(errand_request::what) what) {
  errand_request x;
  x.what = std::move(what);
  x.who = "bob";
  x.reason = "fire";
  return x;
}

inline errand_request power(power_verb verb, std::vector<node_name> nodes) {
  power_errand x;
  x.verb = verb;
  x.nodes = std::move(nodes);
  return request(x);
}

/// Of n1 and n2.
inline errand_request epo(bool on) {
  epo_errand x;
  x.on = on;
  x.names = {"n1", "n2"};
  return request(x);
}

struct desk_world {
  cluster_record cluster;
  // the switch
  std::map<node_name, power_state> power;
  std::map<node_name, power_wish> wishes;
  std::vector<power_order> orders; ///< all that were asked
  std::vector<power_withdraw> taken_back;
  std::set<node_name> broken; ///< whose helper fails
  millis switch_time = seconds{1};
  risky_acts risky; ///< failovers and reinstallations that are under way
  // the queue: by intent, as the submitter knows them
  std::map<intent_id, job_event> jobs; ///< how it ended, or `submitted`
  std::vector<job_order> sent;         ///< each intent once
  std::set<std::string> failing;       ///< "instance_shutdown:i1"
  std::vector<intent_id> withdrawn;
  millis job_time = seconds{1};
  // the cluster actor
  std::vector<holds> held;
  std::vector<power_records> records;
  std::vector<pause_watcher> pauses;
  bool watcher_obeys = true;
  std::vector<off_word> words;
  millis word_time{};
  bool word_believed = false; ///< too late to take it back
  std::uint32_t attentions = 0;
  // the collector
  bool nodes_answer = true;
  std::uint32_t probes = 0;

  [[nodiscard]] std::size_t commands(const node_name& node,
                                     power_verb verb) const {
    return static_cast<std::size_t>(
      std::count_if(orders.begin(), orders.end(), [&](const auto& x) {
        return x.node == node && x.verb == verb;
      }));
  }

  [[nodiscard]] std::size_t jobs_of(op_kind kind,
                                    const std::string& object) const {
    return static_cast<std::size_t>(
      std::count_if(sent.begin(), sent.end(), [&](const job_order& x) {
        const auto& op = x.ops.at(0);
        return op.kind == kind && (op.instance == object || op.node == object);
      }));
  }

  node_record& node(const node_name& name) {
    return *std::find_if(cluster.nodes.begin(), cluster.nodes.end(),
                         [&](const auto& x) { return x.name == name; });
  }

  /// The order as it was sent first: later ones may only ask for it.
  [[nodiscard]] const job_order& first(const intent_id& intent) const;

  /// The job is carried out; how it ended.
  job_event run(const job_order& order, instant at);
};

using desk_world_ptr = std::shared_ptr<desk_world>;

class desk_rig {
public:
  desk_rig();

  ~desk_rig() { crash(); }

  desk_rig(const desk_rig&) = delete;
  desk_rig& operator=(const desk_rig&) = delete;

  /// Desk and journal begin, from what is on paper.
  void boot();

  /// And end at once.
  void crash();

  /// The cluster is read.
  void read();

  /// Time passes, with a reading each second.
  void run_for(seconds span);

  errand_sheet ask(const errand_request& x);
  errand_sheet sheet(const errand_id& id);
  errand_sheet end(const errand_id& id, const std::string& who);

  /// How many rows of the journal are alerts.
  [[nodiscard]] std::size_t alerts() const;

  stage theatre;
  desk_world_ptr world = std::make_shared<desk_world>();
  std::shared_ptr<paper> book = std::make_shared<paper>();
  std::shared_ptr<view_fake> seen = std::make_shared<view_fake>();
  desk_actor desk;
  bool is_master = true; ///< as the cluster says

private:
  journal_actor journal_;
  std::vector<caf::actor> props_;
};

} // namespace orderly
