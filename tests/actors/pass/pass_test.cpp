// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/journal/memory_journal.hpp"
#include "actors/pass/pass.hpp"
#include "actors/pass/world.hpp"
#include "actors/policy/checks/verdict.hpp"
#include "io/cli/pass_settings.hpp"
#include "sim/ports/ports.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::pass_test {

namespace {

const std::string permit_tag = "ganeti:watcher:autorepair:failover";

harep_options wanted(bool dry_run = false) {
  harep_options o;
  o.reason = "a test";
  o.dry_run = dry_run;
  return o;
}

sim::world_plan plan(bool power_control) {
  sim::world_plan p;
  p.name = "c";
  p.master = "n3";
  p.tags = {permit_tag};
  p.groups = {{"g1", "u", {}}};
  for (auto* name : {"n1", "n2", "n3", "n4"}) {
    sim::world_plan::node node;
    node.name = name;
    node.group = "g1";
    node.power_control = power_control;
    node.offline = node.name == "n1";
    p.nodes.push_back(node);
  }
  instance_record x;
  x.name = "i1";
  x.uuid = "ui1";
  x.primary = "n1";
  x.secondaries = {"n2"};
  x.disks = disk_template::drbd;
  x.memory_mib = 128;
  x.disks_mib = {512};
  x.os = "os";
  p.instances.push_back(x);
  return p;
}

/// `n1` is dead and instances without a mirror are lost on it.
sim::world_plan losses(std::size_t count) {
  auto p = plan(false);
  p.tags = {"ganeti:watcher:autorepair:reinstall"};
  auto x = p.instances.front();
  x.secondaries.clear();
  x.disks = disk_template::plain;
  x.admin = admin_state::down;
  p.instances.clear();
  for (std::size_t i = 1; i <= count; ++i) {
    x.name = "i" + std::to_string(i);
    x.uuid = "u" + x.name;
    p.instances.push_back(x);
  }
  return p;
}

/// A tree that makes one pass over a simulated cluster.
struct rig {
  explicit rig(const sim::world_plan& p, bool dry_run = false)
    : dry(dry_run),
      on(pass_settings({}, wanted(dry_run))),
      lab(std::make_shared<sim::lab_state>(p, on.rules())) {
    real = sim::spawn_sim_ports(on.system(), lab, checks::judge());
    auto outside = real;
    outside.journal = on.keep(spawn_memory_journal(on.system()));
    world = spawn_pass_world(on.system(), outside, dry);
  }

  ~rig() {
    if (tree)
      on.kill(tree);
    end_pass_world(world, dry);
    sim::stop_ports(real);
  }

  pending<pass_report> start(millis limit) {
    tree = spawn_tree(on.system(), on.ctx(), world.outside);
    auto watcher = on.keep(spawn_pass(on.system(), on.ctx(), tree));
    return on.ask<pass_report>(watcher, run_pass{limit});
  }

  /// Runs until the pass is over: the tree would go on with the next step.
  void finish(const pending<pass_report>& report, millis limit) {
    for (auto end = on.now() + limit; !report && on.now() < end;)
      on.run_for(millis{100});
    REQUIRE(report);
  }

  [[nodiscard]] std::vector<job_spec> repair_jobs() const {
    std::vector<job_spec> result;
    for (const auto& job : lab->cluster.jobs())
      if (!sim::is_bookkeeping(job.spec))
        result.push_back(job.spec);
    return result;
  }

  [[nodiscard]] std::size_t repairs() const { return repair_jobs().size(); }

  bool dry;
  stage on;
  sim::lab_pointer lab;
  ports real;
  pass_world world;
  root_actor tree;
};

} // namespace

TEST_CASE("a pass sends the repair of a broken instance and is over") {
  rig b{plan(false)};
  auto report = b.start(minutes{5});
  b.finish(report, minutes{1});
  CHECK(report->error.empty());
  CHECK(report->complete);
  REQUIRE(report->instances.size() == 1);
  CHECK(report->instances[0].standing.phase == repair_phase::pending);
  CHECK(report->status.cluster == "c");
  CHECK_FALSE(report->decisions.empty());
  CHECK(b.repairs() == 1);
}

TEST_CASE("a dry pass finds the same and sends nothing") {
  rig b{plan(false), true};
  auto report = b.start(minutes{5});
  b.finish(report, minutes{1});
  CHECK(report->complete);
  CHECK(report->instances.at(0).standing.phase == repair_phase::pending);
  CHECK(b.lab->cluster.jobs().empty());
  CHECK(b.lab->cluster.record().instances[0].tags.empty());
  auto sent = b.on.ask<notes>(b.world.sent, read_notes{});
  REQUIRE(sent);
  CHECK(sent->jobs.size() >= 2);
}

TEST_CASE("a node marked offline whose power reads on keeps its instances") {
  rig b{plan(true)};
  b.lab->truth.set_power("n1", true);
  auto report = b.start(minutes{5});
  b.finish(report, minutes{4});
  CHECK(report->complete);
  CHECK(report->instances.at(0).standing.phase == repair_phase::needs_repair);
  CHECK(b.repairs() == 0);
}

TEST_CASE("a pass waits for the power status of nodes marked offline") {
  rig b{plan(true)};
  auto report = b.start(minutes{5});
  b.finish(report, minutes{4});
  CHECK(report->complete);
  CHECK(report->instances.at(0).standing.phase == repair_phase::pending);
  CHECK(b.repairs() == 1);
}

TEST_CASE("a pass stays until expired suspensions are gone from group and "
          "cluster") {
  auto p = plan(false);
  for (auto& node : p.nodes)
    node.offline = false; // there is nothing else to wait for
  p.tags.push_back("ganeti:watcher:autorepair:suspend:1000");
  p.groups[0].tags = {"ganeti:watcher:autorepair:suspend:1001"};
  rig b{p};
  b.lab->cluster.habits.tags_least = b.lab->cluster.habits.tags_most
    = seconds{20};
  auto report = b.start(minutes{5});
  b.finish(report, minutes{2});
  CHECK(report->complete);
  CHECK(report->instances.at(0).standing.phase == repair_phase::healthy);
  const auto& after = b.lab->cluster.record();
  CHECK(after.tags == std::vector<std::string>{permit_tag});
  CHECK(after.groups.at(0).tags.empty());
}

TEST_CASE("suspensions that are over keep no pass from a repair") {
  auto p = plan(false);
  p.tags.push_back("ganeti:watcher:autorepair:suspend:1000");
  p.groups[0].tags = {"ganeti:watcher:autorepair:suspend:1001"};
  rig b{p};
  auto report = b.start(minutes{5});
  b.finish(report, minutes{1});
  CHECK(report->complete);
  CHECK(report->instances.at(0).standing.phase == repair_phase::pending);
  CHECK(b.repairs() == 1);
  const auto& after = b.lab->cluster.record();
  CHECK(after.tags == std::vector<std::string>{permit_tag});
  CHECK(after.groups.at(0).tags.empty());
}

TEST_CASE("a pass whose tags cannot be written repairs nothing and says so") {
  rig b{plan(false)};
  b.lab->cluster.habits.fail_per_mille = 1000;
  auto report = b.start(minutes{5});
  b.finish(report, minutes{6});
  CHECK(report->complete);
  const auto& found = report->instances.at(0).standing;
  CHECK(found.phase == repair_phase::needs_repair);
  CHECK(found.waits_for.find("ended with status error") != std::string::npos);
  CHECK(found.waits_for.find("tries again at ") != std::string::npos);
  CHECK(b.repairs() == 0);
  CHECK(b.lab->cluster.record().instances[0].tags.empty());
}

TEST_CASE("a pass with the rules of harep names the nodes of a reinstall") {
  rig b{losses(1)};
  CHECK(b.on.rules().autorepair.new_nodes == node_picker::named);
  auto report = b.start(minutes{5});
  b.finish(report, minutes{2});
  CHECK(report->complete);
  CHECK(report->instances.at(0).standing.phase == repair_phase::pending);
  auto jobs = b.repair_jobs();
  REQUIRE(jobs.size() == 1);
  std::vector<op_kind> kinds;
  for (const auto& op : jobs[0].ops)
    kinds.push_back(op.kind);
  CHECK(kinds
        == std::vector<op_kind>{op_kind::wait, op_kind::recreate_disks,
                                op_kind::instance_reinstall});
  for (const auto& op : jobs[0].ops)
    if (op.kind == op_kind::recreate_disks) {
      CHECK(op.allocator.empty());
      REQUIRE(op.nodes.size() == 1);
      CHECK(op.nodes[0] != "n1");
    }
}

TEST_CASE("of two reinstalls that want one node the next pass sends the "
          "other") {
  auto p = losses(2);
  p.nodes.erase(p.nodes.begin() + 3);
  p.nodes[1].memory_mib = 64; // too small: only n3 is left
  rig b{p};
  auto report = b.start(minutes{5});
  b.finish(report, minutes{2});
  CHECK(report->complete);
  CHECK(b.repairs() == 1);
  const auto& waits = report->instances.at(0).standing.jobs.empty()
                        ? report->instances.at(0).standing
                        : report->instances.at(1).standing;
  CHECK(waits.phase == repair_phase::pending);
  CHECK(waits.jobs.empty());
  CHECK(waits.waits_for.find("node n3 is being filled by ")
        != std::string::npos);
}

TEST_CASE("without an answer of the cluster there is no pass") {
  rig b{plan(false)};
  b.lab->cluster.habits.luxi_down = true;
  auto report = b.start(minutes{5});
  b.finish(report, minutes{2});
  CHECK_FALSE(report->complete);
  CHECK(report->error.find("the cluster cannot be read: ") == 0);
}

TEST_CASE("a pass on another node than the master's says so and does nothing") {
  auto p = plan(false);
  rig b{p};
  b.lab->truth.set_self("n4");
  auto report = b.start(minutes{5});
  b.finish(report, minutes{1});
  CHECK_FALSE(report->complete);
  CHECK(report->error == "no right to act: the master is n3");
  CHECK(b.lab->cluster.jobs().empty());
}

TEST_CASE("a pass that does not come to its end is given up and told why") {
  rig b{plan(false)};
  b.lab->cluster.habits.tags_least = b.lab->cluster.habits.tags_most
    = minutes{20};
  auto report = b.start(seconds{30});
  b.finish(report, minutes{1});
  CHECK_FALSE(report->complete);
  CHECK(report->error.find("the pass was not over after 30 s, it waited for 1 "
                           "of 1 instances, the first is i1: ")
        == 0);
}

TEST_CASE("the memory journal gives back what it was given") {
  stage on;
  auto port = on.keep(spawn_memory_journal(on.system()));
  journal_entry e;
  e.seq = 7;
  e.object = "instance:i1";
  e.why = "because";
  e.state = fields{{{"a", "1"}}};
  auto gone = e;
  gone.seq = 8;
  gone.state_key = "other";
  gone.state = fields{};
  auto ack = on.ask<journal_ack>(port, journal_batch{{e, gone}});
  REQUIRE(ack);
  CHECK(ack->durable);
  auto found = on.ask<journal_contents>(port, journal_read{1});
  REQUIRE(found);
  CHECK(found->readable);
  CHECK(found->last_seq == 8);
  CHECK(found->recent.size() == 1);
  REQUIRE(found->states.size() == 1);
  CHECK(found->states.at("instance:i1").text("a") == "1");
}

} // namespace orderly::pass_test
