// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A node is not switched on under what relies on its being off.

#include "actors/policy/errand/grounds.hpp"
#include "actors/policy/errand/leaving.hpp"
#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand_relied_test {

using namespace orderly::errand;

namespace {

permit_request held(act_kind act, const instance_name& instance,
                    std::vector<node_name> leaves) {
  permit_request x;
  x.act = act;
  x.owner = instance_object(instance);
  x.instances = {instance};
  x.leaves = std::move(leaves);
  return x;
}

running_job job_of(const std::string& intent, const instance_name& instance) {
  running_job x;
  x.id = 12;
  x.instances = {instance};
  x.reason = trail_text("r", intent);
  return x;
}

/// i1 has its home on n1 and its mirror on n2.
struct stage : rig {
  stage() { add_instance("i1", "n1", {"n2"}); }

  stage& failover() {
    risky->acts = {held(act_kind::failover, "i1", {"n1"})};
    return *this;
  }

  stage& turn(power_verb verb, const node_name& node, bool forced = false) {
    auto x = power(verb, {node});
    x.mark_offline = !forced;
    begin(request(x));
    return *this;
  }

  /// It was commanded, and waits for nothing.
  [[nodiscard]] bool commanded() const { return count<give_power>() == 1; }

  [[nodiscard]] std::size_t alerts() const {
    return static_cast<std::size_t>(
      std::count_if(told.begin(), told.end(),
                    [](const tell& x) { return x.kind == entry_kind::alert; }));
  }
};

} // namespace

TEST_CASE(
  "a power-on waits for a failover off its node, and goes on after it") {
  stage b;
  auto verb = GENERATE(power_verb::on, power_verb::cycle);
  b.failover().turn(verb, "n1");
  CHECK_FALSE(b.commanded());
  CHECK(b.looks == 1);
  REQUIRE(b.told.size() == 1);
  CHECK(b.told[0].code == "power-waits");
  auto order = orders_of(b.s).at("n1");
  CHECK_FALSE(order.running);
  CHECK(order.waits_for.find("i1") != std::string::npos);
  CHECK(doing(b.s) == "wait of n1");
  b.wait(minutes{10});
  CHECK_FALSE(b.commanded());
  CHECK(b.told.size() == 1); // told once
  b.risky->acts.clear();
  b.wait(relied_pause);
  CHECK(b.commanded());
  CHECK(b.of("n1").text.empty());
  CHECK(orders_of(b.s).at("n1").running);
}

TEST_CASE("a power-on does not wait for what has nothing to do with its node") {
  stage b;
  auto node = std::string{"n3"};
  SECTION("a failover off another node") {
    b.failover();
  }
  SECTION("a failover from its mirror's peer, whose job it is") {
    b.failover();
    b.cluster.jobs = {job_of("r/i1/1-failover", "i1")};
    node = "n2";
  }
  SECTION("a job of another kind") {
    b.cluster.jobs = {job_of("r/i1/1-fix-storage", "i1")};
    node = "n1";
  }
  SECTION("a job of somebody else") {
    b.cluster.jobs = {job_of("", "i1")};
    node = "n1";
  }
  b.turn(power_verb::on, node);
  CHECK(b.commanded());
}

TEST_CASE("a power-on waits for a reinstallation that wipes a copy on its "
          "node") {
  stage b;
  auto node = GENERATE(std::string{"n1"}, std::string{"n2"});
  SECTION("by its permit") {
    b.risky->acts = {held(act_kind::reinstall, "i1", {"n1"})};
  }
  SECTION("by its job") {
    b.cluster.jobs = {job_of("r/i1/1-reinstall", "i1")};
  }
  b.turn(power_verb::on, node);
  CHECK_FALSE(b.commanded());
}

TEST_CASE("a power-on waits for the job of a failover whose owner gave it up") {
  stage b;
  b.cluster.jobs = {job_of("r/i1/1-failover", "i1")};
  SECTION("before it changed the record") {
    // nothing
  }
  SECTION("after that") {
    b.cluster.instances[0].primary = "n2";
    b.cluster.instances[0].secondaries = {"n1"};
  }
  b.turn(power_verb::on, "n1");
  CHECK_FALSE(b.commanded());
  b.cluster.jobs.clear();
  b.wait(relied_pause);
  CHECK(b.commanded());
}

TEST_CASE("who says so does not wait") {
  stage b;
  b.failover().turn(GENERATE(power_verb::on, power_verb::cycle), "n1", true);
  CHECK(b.commanded());
  CHECK(b.questions == 0);
}

TEST_CASE("a power-off asks for nothing that relies on the node being off") {
  stage b;
  b.failover().turn(power_verb::off, "n1", true);
  CHECK(b.commanded());
  CHECK(b.questions == 0);
}

TEST_CASE("after an emergency power-off nodes wait, too") {
  stage b;
  b.failover();
  b.node("n1").offline = true;
  b.node("n1").powered = false;
  b.holds["n1"].who = "bob";
  epo_errand x;
  x.on = true;
  x.names = {"n1"};
  b.begin(b.request(x));
  CHECK(b.how("n1") == row_state::running);
  CHECK_FALSE(b.commanded());
  b.risky->acts.clear();
  b.wait(relied_pause);
  CHECK(b.commanded());
}

TEST_CASE("a power-on that waited for too long is given up with an alert") {
  stage b;
  b.failover().turn(power_verb::on, "n1");
  b.wait(relied_within - seconds{10});
  CHECK(b.how("n1") == row_state::running);
  CHECK(b.alerts() == 0);
  b.wait(seconds{20});
  CHECK(b.how("n1") == row_state::failed);
  CHECK(b.alerts() == 1);
  CHECK(b.s.ended != never);
  CHECK_FALSE(b.commanded());
  CHECK(rising(b.s).empty());
}

TEST_CASE("a power-on that nobody can clear waits") {
  stage b;
  b.risky->known = false;
  b.turn(power_verb::on, "n1");
  CHECK_FALSE(b.commanded());
  b.risky->known = true;
  b.wait(relied_pause);
  CHECK(b.commanded());
}

TEST_CASE("a power-on that waits can be stopped") {
  stage b;
  b.failover().turn(power_verb::on, "n1");
  SECTION("between two looks") {
    b.feed(stopped{"ann"});
  }
  SECTION("while it looks") {
    b.risky.reset();
    b.wait(relied_pause);
    auto question = b.take<ask_risky>("n1");
    b.feed(stopped{"ann"});
    b.feed(risky_told{question.at, {}});
  }
  CHECK(b.how("n1") == row_state::skipped);
  CHECK(b.s.ended != never);
  CHECK_FALSE(b.commanded());
}

TEST_CASE("after a restart a power-on waits for a reading that is newer") {
  stage b;
  b.failover().turn(power_verb::on, "n1");
  auto until = b.of("n1").until;
  b.risky->acts.clear(); // their owners have not asked again yet
  b.read_at = b.now;
  b.wait(seconds{1});
  b.restart();
  b.wait(relied_pause);
  CHECK_FALSE(b.commanded());
  CHECK(b.of("n1").until == until);
  b.read_at.reset();
  b.wait(relied_pause);
  CHECK(b.commanded());
}

TEST_CASE("a power-on that waits leaves its place to others") {
  stage b;
  b.rules.power.concurrency = 1;
  b.failover();
  auto x = b.power(power_verb::on, {"n1", "n2"});
  x.power_delay = seconds{0};
  b.begin(b.request(x));
  b.wait(patience_in_turn + seconds{1});
  CHECK(b.take<give_power>("n2").order.node == "n2");
  b.risky->acts.clear();
  b.wait(minutes{1});
  CHECK(b.count<give_power>() == 0); // n2 has not answered
}

TEST_CASE("nothing new relies on a node from the acceptance of its power-on to "
          "the command") {
  stage b;
  b.failover().turn(GENERATE(power_verb::on, power_verb::cycle), "n1");
  REQUIRE(rising(b.s).size() == 1);
  CHECK(rising(b.s).at("n1").find(b.s.id) != std::string::npos);
  b.risky->acts.clear();
  b.wait(relied_pause);
  b.report("n1", power_state::on);
  CHECK(rising(b.s).empty());
}

TEST_CASE("a power-off makes nothing rise") {
  stage b;
  b.turn(power_verb::off, "n1");
  CHECK(rising(b.s).empty());
}

} // namespace orderly::errand_relied_test
