// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/balance/planner.hpp"
#include "actors/planning/model/cluster.hpp"
#include "sim/state/lab_state.hpp"
#include "sim/state/model.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace orderly::balance_planner_test {

namespace {

/// Seven nodes in two groups, crooked: all of a group's instances are on its
/// first node.
sim::world_plan crooked() {
  auto plan = *sim::plan_named("made-7-42-2", 1);
  auto home = [&](const node_name& name) {
    for (const auto& n : plan.nodes)
      if (n.name == name)
        return n.group;
    return group_name{};
  };
  for (auto& x : plan.instances) {
    auto first = home(x.primary) == plan.nodes[0].group ? "node1" : "node2";
    if (!x.secondaries.empty() && x.secondaries[0] == first)
      x.secondaries[0] = x.primary;
    x.primary = first;
    if (!x.secondaries.empty() && x.secondaries[0] == first)
      x.secondaries[0] = home(first) == home("node3") ? "node3" : "node4";
  }
  return plan;
}

struct rig {
  explicit rig(const sim::world_plan& plan = crooked())
    : lab(plan), planner{on.enter(orderly::planner)} {
    ask_for.model = sim::make_model(lab);
    ask_for.picture = lab.cluster.picture();
    ask_for.move_cost = 0.05;
    ask_for.disk_moves = true;
  }

  plan_answer plan() {
    auto answer = on.ask<plan_answer>(planner, ask_for);
    REQUIRE(answer);
    return *answer;
  }

  void renew() { ask_for.picture = lab.cluster.picture(); }

  /// Carries it out on the record, and says where it went wrong.
  std::string follow(const std::vector<planned_move>& moves) {
    std::map<instance_name, instance_place> now;
    for (const auto& x : lab.cluster.record().instances)
      now[x.name]
        = {x.primary, x.secondaries.empty() ? "" : x.secondaries.front()};
    for (const auto& m : moves) {
      auto& at = now[m.instance];
      if (!(at == m.from))
        return m.instance + " is not where its move begins";
      for (const auto& op : m.ops) {
        if (op.instance != m.instance)
          return "an opcode of " + m.instance + " names " + op.instance;
        if (op.kind == op_kind::replace_disks)
          at.secondary = op.target;
        else if (at.secondary.empty())
          at.primary = op.target;
        else if (!op.target.empty())
          return m.instance + " is told where its mirror is";
        else
          std::swap(at.primary, at.secondary);
      }
      if (!(at == m.to))
        return m.instance + " does not go where its move says";
    }
    return {};
  }

  stage on;
  sim::lab_state lab;
  planner_port planner;
  plan_question ask_for;
};

const planned_move* move_of(const plan_answer& x, const instance_name& name) {
  for (const auto& m : x.moves)
    if (m.instance == name)
      return &m;
  return nullptr;
}

} // namespace

TEST_CASE("a plan's opcodes bring everybody where the plan says") {
  rig b;
  auto x = b.plan();
  REQUIRE(x.planned);
  CHECK(x.moves.size() > 10);
  CHECK(b.follow(x.moves) == "");
  auto part = [&](op_kind kind) {
    return std::count_if(x.moves.begin(), x.moves.end(), [&](const auto& m) {
      return std::any_of(m.ops.begin(), m.ops.end(),
                         [&](const auto& op) { return op.kind == kind; });
    });
  };
  CHECK(part(op_kind::instance_migrate) > 0);
  CHECK(part(op_kind::replace_disks) > 0);
  CHECK(part(op_kind::instance_failover) == 0);
}

TEST_CASE(
  "what does not run is moved with its disks opened first, and may fail "
  "over") {
  rig b;
  for (const auto& x : b.lab.cluster.record().instances)
    if (x.name > "inst20") {
      b.lab.truth.stop_everywhere(x.name);
      REQUIRE(b.lab.cluster.set_admin(x.name, admin_state::down));
    }
  b.ask_for.model = sim::make_model(b.lab);
  b.renew();
  b.ask_for.move_cost = 0;
  auto x = b.plan();
  int stopped = 0;
  for (const auto& m : x.moves)
    for (const auto& op : m.ops) {
      auto down = m.instance > "inst20";
      auto moves = op.kind == op_kind::instance_migrate;
      stopped += down && moves ? 1 : 0;
      CHECK(op.kind != op_kind::instance_failover);
      CHECK((op.kind != op_kind::activate_disks || down));
      CHECK(op.flag == (down && op.kind != op_kind::replace_disks));
      if (down && moves)
        CHECK((&op - 1)->kind == op_kind::activate_disks);
    }
  CHECK(stopped > 0);
}

TEST_CASE("scores, gains and costs of a plan add up") {
  rig b;
  auto x = b.plan();
  REQUIRE(x.groups.size() == 2);
  CHECK(x.groups[0].group < x.groups[1].group);
  std::uint32_t steps = 0;
  double gain = 0;
  for (const auto& g : x.groups) {
    CHECK(g.after < g.before);
    CHECK_FALSE(g.cut);
    steps += g.steps;
    gain += g.before - g.after;
  }
  CHECK(steps == x.moves.size());
  double sum = 0;
  for (const auto& m : x.moves) {
    sum += m.gain;
    CHECK(m.cost >= 1);
    CHECK_FALSE(m.why.empty());
  }
  CHECK(sum == Approx(gain));
  CHECK(x.moves.front().score
        == Approx(x.groups[0].before - x.moves.front().gain));
}

TEST_CASE("each move says what it changes, the greatest first") {
  rig b;
  for (const auto& m : b.plan().moves) {
    // "cpu_load_cv -0.1012, free_mem_cv -0.0301"
    auto last = 1e9;
    std::size_t at = 0;
    while (at < m.why.size()) {
      auto blank = m.why.find(' ', at);
      REQUIRE(blank != std::string::npos);
      auto size = std::abs(std::strtod(m.why.c_str() + blank, nullptr));
      CHECK(size > 0);
      CHECK(size <= last);
      last = size;
      auto comma = m.why.find(", ", blank);
      at = comma == std::string::npos ? m.why.size() : comma + 2;
    }
  }
}

TEST_CASE("who is fixed, suspended by a job, or on a closed node stays") {
  rig b;
  auto open = b.plan();
  REQUIRE(open.moves.size() > 6);
  auto fixed = open.moves[0].instance;
  b.ask_for.fixed = {fixed};
  const auto* away = b.lab.cluster.instance(open.moves[5].instance);
  b.ask_for.under_way = {{away->name, open.moves[5].to}};
  b.ask_for.closed = {"node5"};
  b.ask_for.explained = {fixed, away->name, "nobody"};
  auto x = b.plan();
  CHECK(x.moves.size() > 5);
  CHECK(move_of(x, fixed) == nullptr);
  CHECK(move_of(x, away->name) == nullptr);
  for (const auto& m : x.moves)
    for (const auto& n :
         {m.from.primary, m.from.secondary, m.to.primary, m.to.secondary})
      CHECK(n != "node5");
  auto says = [&](const instance_name& name, const std::string& what) {
    INFO(x.explained[name]);
    return x.explained[name].find(what) != std::string::npos;
  };
  CHECK(x.explained.size() == 3);
  CHECK(says(fixed, "it is to be left alone"));
  CHECK(says(away->name, "a job moves it now"));
  CHECK(says("nobody", "there is no such instance"));
}

TEST_CASE(
  "no plan touches a node that is not in service by the newest picture") {
  rig b;
  REQUIRE(b.lab.cluster.set_offline("node5", true));
  REQUIRE(b.lab.cluster.set_drained("node4", true));
  b.renew();
  auto x = b.plan();
  REQUIRE(x.planned);
  CHECK_FALSE(x.moves.empty());
  for (const auto& m : x.moves)
    for (const auto& n :
         {m.from.primary, m.from.secondary, m.to.primary, m.to.secondary})
      CHECK((n != "node5" && n != "node4"));
}

TEST_CASE("without disk moves only what copies nothing is planned") {
  rig b;
  b.ask_for.disk_moves = false;
  auto x = b.plan();
  CHECK_FALSE(x.moves.empty());
  for (const auto& m : x.moves)
    for (const auto& op : m.ops)
      CHECK(op.kind != op_kind::replace_disks);
}

TEST_CASE("who is asked for is explained, whether it moves or stays") {
  rig b;
  auto x = b.plan();
  auto goes = x.moves.front();
  for (const auto& i : b.lab.cluster.record().instances)
    b.ask_for.explained.insert(i.name);
  x = b.plan();
  CHECK(x.explained.size() == b.lab.cluster.record().instances.size());
  CHECK(x.explained[goes.instance].rfind(
          goes.instance + " goes from " + goes.from.primary, 0)
        == 0);
  for (const auto& i : b.lab.cluster.record().instances) {
    if (move_of(x, i.name))
      continue;
    INFO(x.explained[i.name]);
    CHECK(x.explained[i.name].rfind(i.name + " stays on " + i.primary, 0) == 0);
    if (i.disks == disk_template::plain)
      CHECK(x.explained[i.name].find("cannot be moved") != std::string::npos);
  }
}

TEST_CASE("a plan has no more steps than asked for") {
  rig b;
  b.ask_for.moves_max = 5;
  CHECK(b.plan().moves.size() <= 5);
  CHECK_FALSE(b.plan().moves.empty());
}

TEST_CASE("the same question has the same answer") {
  rig b;
  b.ask_for.deadline = seconds{5};
  auto first = b.plan();
  auto second = b.plan();
  CHECK(first.moves == second.moves);
  CHECK(first.groups == second.groups);
}

TEST_CASE("a question without a sound model is answered by a sentence") {
  rig b;
  b.ask_for.model = nullptr;
  auto x = b.plan();
  CHECK_FALSE(x.planned);
  CHECK(x.text == "there is no model");
  auto bad = std::make_shared<planning::cluster>();
  b.ask_for.model = bad;
  CHECK(b.plan().text == "the model has no nodes");
  *bad = *sim::make_model(b.lab);
  bad->instances[0].primary = 99;
  CHECK(b.plan().text == "instance inst01 of the model is on an unknown node");
  CHECK(b.plan().moves.empty());
}

TEST_CASE("a cluster of one node, or with nothing online, needs no plan") {
  rig b{*sim::plan_named("made-2-8-1", 1)};
  REQUIRE(b.lab.cluster.set_offline("node1", true));
  b.renew();
  CHECK(b.plan().planned);
  CHECK(b.plan().moves.empty());
  REQUIRE(b.lab.cluster.set_offline("node2", true));
  b.renew();
  CHECK(b.plan().moves.empty());
}

TEST_CASE("a repair asks the planner where its instance should go") {
  rig b;
  target_question q;
  q.model = b.ask_for.model;
  q.picture = b.ask_for.picture;
  for (const auto& x : b.lab.cluster.record().instances)
    if (x.disks == disk_template::sharedfile)
      q.instance = x.name;
  q.leaves_primary = true;
  auto x = b.on.ask<target_answer>(b.planner, q);
  REQUIRE(x);
  REQUIRE(x->found);
  const auto& old = b.lab.cluster.instance(q.instance)->primary;
  CHECK(x->to.primary != old);
  CHECK(b.lab.cluster.node(x->to.primary)->group
        == b.lab.cluster.node(old)->group);
  CHECK(x->to.secondary.empty());
}

} // namespace orderly::balance_planner_test
