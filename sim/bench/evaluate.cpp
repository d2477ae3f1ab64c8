// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/bench/evaluate.hpp"

#include "actors/policy/repair/autorepair.hpp"
#include "sim/lab/lab.hpp"

#include <algorithm>
#include <ctime>
#include <map>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

constexpr instant at{seconds{1700000000}};
const incident_id some_id = "11111111-1111-4111-8111-111111111111";

class stopwatch {
public:
  [[nodiscard]] double ms() const {
    return 1000.0 * static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC;
  }

private:
  std::clock_t begin_ = std::clock();
};

std::string tagged(const std::string& rest) {
  return std::string{tags::prefix} + rest;
}

/// 40 nodes a group, drbd throughout; tags on the cluster, on all groups and
/// on every third instance.
world_plan plan_of(std::uint32_t nodes, std::uint32_t instances) {
  auto groups = std::max(1U, nodes / 40);
  auto plan = make_plan(nodes, instances, groups, 1);
  plan.tags
    = {tagged("failover"), "owner:operations", tagged("suspend:1600000000")};
  for (auto& group : plan.groups)
    group.tags
      = {"rack:" + group.name, tagged("fix-storage"), tagged("failover")};
  for (std::uint32_t i = 0; i < instances; ++i) {
    auto& x = plan.instances[i];
    x.disks = disk_template::drbd;
    auto n = i % nodes;
    auto in_group = (nodes - n % groups + groups - 1) / groups;
    auto other = (n / groups + 1 + (i / nodes) % (in_group - 1)) % in_group;
    x.secondaries = {plan.nodes[other * groups + n % groups].name};
    x.tags = {"owner:team" + std::to_string(i % 50)};
    if (i % 3 == 0)
      x.tags.push_back(tagged("reinstall"));
    if (i % 30 == 0)
      x.tags.push_back(
        tagged("result:failover:" + some_id + ":1600000000:success:1+2"));
  }
  return plan;
}

/// The cluster as the policy sees it, without any actor.
class paper_cluster {
public:
  explicit paper_cluster(world_plan plan) : plan_(std::move(plan)) {
    for (const auto& node : plan_.nodes) {
      autorepair::node_view view;
      view.name = node.name;
      view.known = true;
      nodes_[node.name] = view;
      group_of_[node.name] = node.group;
      ++spares_[node.group];
    }
    for (const auto& group : plan_.groups)
      groups_[group.name] = &group;
    for (std::size_t i = 0; i < plan_.instances.size(); ++i) {
      const auto& x = plan_.instances[i];
      lodgers_[x.primary].push_back(i);
      for (const auto& name : x.secondaries)
        lodgers_[name].push_back(i);
    }
    limits_.enabled = true;
    limits_.tries_max = 3;
    limits_.proof_max_age = hours{24};
  }

  void kill(const node_name& name) {
    auto& node = nodes_[name];
    node.offline = true;
    node.proved_down
      = proof{name, proof_level::power_status, "power status off", at};
    --spares_[group_of_[name]];
  }

  /// True if the machine found something to do.
  [[nodiscard]] bool evaluate(std::size_t index) const {
    auto v = autorepair::step({}, autorepair::looked{seen(index), some_id},
                              limits_, at);
    return v.next.phase == autorepair::phase::needs_repair
           || v.next.phase == autorepair::phase::pending;
  }

  [[nodiscard]] const std::vector<std::size_t>&
  lodgers(const node_name& name) const {
    return lodgers_.at(name);
  }

  [[nodiscard]] std::size_t size() const { return plan_.instances.size(); }

private:
  [[nodiscard]] autorepair::facts seen(std::size_t index) const {
    const auto& x = plan_.instances[index];
    autorepair::facts f;
    f.instance = x;
    f.primary = nodes_.at(x.primary);
    for (const auto& name : x.secondaries)
      f.secondaries.push_back(nodes_.at(name));
    f.group = group_of_.at(x.primary);
    f.group_tags = groups_.at(f.group)->tags;
    f.cluster_tags = plan_.tags;
    auto own = static_cast<std::uint32_t>(1 + x.secondaries.size());
    f.spare_nodes = spares_.at(f.group) - std::min(spares_.at(f.group), own);
    f.read_at = at;
    return f;
  }

  world_plan plan_;
  std::map<node_name, autorepair::node_view> nodes_;
  std::map<node_name, group_name> group_of_;
  std::map<group_name, const group_record*> groups_;
  std::map<group_name, std::uint32_t> spares_;
  std::map<node_name, std::vector<std::size_t>> lodgers_;
  autorepair::rules limits_;
};

void measure_policy(evaluation& e, const world_plan& plan) {
  paper_cluster paper{plan};
  stopwatch all;
  for (std::size_t i = 0; i < paper.size(); ++i)
    e.broken += paper.evaluate(i) ? 1 : 0; // none, as long as all is well
  e.all_ms = all.ms();
  const auto& node = plan.nodes[plan.nodes.size() / 2].name;
  stopwatch one;
  paper.kill(node);
  for (auto i : paper.lodgers(node))
    e.broken += paper.evaluate(i) ? 1 : 0;
  e.node_ms = one.ms();
  e.lodgers = static_cast<std::uint32_t>(paper.lodgers(node).size());
}

/// Laws are off: it is the daemon that is measured, not its judges. All is
/// suspended, so that it is the looking that is measured, and not the repairs.
void measure_tree(evaluation& e, world_plan plan) {
  for (auto& x : plan.instances)
    x.tags.push_back(tagged("suspend"));
  settings rules;
  rules.autorepair.enabled = true;
  rules.host_ha.enabled = false;
  stopwatch all;
  lab world{plan, rules, 1};
  world.clock().after_step = nullptr;
  world.run_for(seconds{40});
  e.tree_all_ms = all.ms();
  world.run_for(minutes{2});
  auto span = 2 * rules.cluster.poll_interval;
  stopwatch quiet;
  world.run_for(span);
  auto nothing = quiet.ms();
  auto before = std::clock();
  world.clock().after_step = [&] {
    auto now = std::clock();
    auto took = 1000.0 * static_cast<double>(now - before) / CLOCKS_PER_SEC;
    e.tree_step_ms = std::max(e.tree_step_ms, took);
    before = now;
    return true;
  };
  stopwatch changed;
  world.apply("node " + plan.nodes[plan.nodes.size() / 2].name + " offline");
  world.run_for(span);
  e.tree_node_ms = changed.ms() - nothing;
  world.clock().after_step = nullptr;
}

} // namespace

std::vector<evaluation> measure_evaluation() {
  std::vector<evaluation> result;
  for (auto nodes : {60U, 120U, 250U, 500U, 1000U}) {
    evaluation e;
    e.nodes = nodes;
    e.instances = 20 * nodes;
    auto plan = plan_of(e.nodes, e.instances);
    measure_policy(e, plan);
    measure_tree(e, plan);
    result.push_back(e);
  }
  return result;
}

double measure_many_tags() {
  auto plan = plan_of(60, 60);
  auto& all = plan.instances.front().tags;
  for (int i = 0; i < 10000; ++i)
    all.push_back(tagged("pending:failover:x" + std::to_string(i)
                         + ":1600000000:" + (i % 2 == 0 ? "1+2" : "x")));
  paper_cluster paper{plan};
  stopwatch look;
  (void)paper.evaluate(0);
  return look.ms();
}

void print_evaluation(const std::vector<evaluation>& all, double many_tags_ms,
                      bool json) {
  auto first = true;
  if (json)
    fmt::print("\"look_at_10000_tags_ms\":{:.1f},\"evaluate\":[", many_tags_ms);
  for (const auto& e : all) {
    if (json)
      fmt::print("{}{{\"nodes\":{},\"instances\":{},\"policy_all_ms\":{:.1f},"
                 "\"policy_node_ms\":{:.2f},\"lodgers\":{},\"broken\":{},"
                 "\"tree_all_ms\":{:.0f},\"tree_node_ms\":{:.0f},"
                 "\"tree_step_ms\":{:.1f}}}",
                 first ? "" : ",", e.nodes, e.instances, e.all_ms, e.node_ms,
                 e.lodgers, e.broken, e.tree_all_ms, e.tree_node_ms,
                 e.tree_step_ms);
    else
      fmt::print("evaluate {:>5} nodes {:>6} instances: policy all {:>6.1f} "
                 "ms, one node {:>5.2f} ms ({} lodgers, {} broken); tree "
                 "start {:>6.0f} ms, one node {:>5.0f} ms, longest step "
                 "{:>5.1f} ms (CPU)\n",
                 e.nodes, e.instances, e.all_ms, e.node_ms, e.lodgers, e.broken,
                 e.tree_all_ms, e.tree_node_ms, e.tree_step_ms);
    first = false;
  }
  if (json)
    fmt::print("]");
  else
    fmt::print("a look at an instance with 10,000 tags: {:.1f} ms (CPU)\n",
               many_tags_ms);
}

} // namespace orderly::sim
