// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Before a repair leaves it to the cluster where an instance goes, the
// balancer is asked; it never waits for long.

#include "actors/instance/instance.hpp"
#include "actors/journal/journal.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::instance_places_test {

namespace {

struct rig {
  explicit rig(settings with = rules()) : on(std::move(with)) {
    places->places.answer = [](const place_question&) {
      target_answer x;
      x.found = true;
      x.to = {"n3", ""};
      return says(x);
    };
    instance_peers s;
    auto view = on.keep(spawn_fake(on.system(), std::make_shared<view_fake>()));
    s.view = view;
    auto port = on.keep(spawn_fake(on.system(), std::make_shared<paper>()));
    s.journal = on.enter(journal, on.ctx(), port, view);
    auto permits = on.enter(scheduler, on.ctx(), s.journal, view);
    s.scheduler = permits;
    s.jobs = on.keep(spawn_fake(on.system(), jobs));
    s.balancer = on.keep(spawn_fake(on.system(), places));
    actor = on.enter(instance, on.ctx(), s, instance_name{"x"}, std::string{});
    on.tell(permits, lease{true, on.now() + hours{100}, "right to act"});
    on.run_for(minutes{1});
    facts.record.name = "x";
    facts.record.primary = "n1";
    facts.record.disks = disk_template::sharedfile;
    facts.group = "g";
    facts.cluster_tags = {"ganeti:watcher:autorepair:failover"};
    facts.spare_nodes = 2;
    node("n1");
    facts.nodes[0].drained = true;
  }

  static settings rules() {
    settings s;
    s.autorepair.enabled = true;
    return s;
  }

  void node(const char* name) {
    node_record x;
    x.name = name;
    x.group = "g";
    facts.nodes.push_back(x);
  }

  void look() {
    show();
    write_token();
  }

  void show() {
    facts.read_at = on.now();
    on.tell(actor, facts);
  }

  /// A job of tags alone ends well at once.
  void write_token() {
    if (jobs->orders.empty() || jobs->orders.back().intent == written)
      return;
    const auto& order = jobs->orders.back();
    for (const auto& op : order.ops)
      if (op.kind != op_kind::tags_set)
        return;
    for (const auto& op : order.ops)
      for (const auto& tag : op.tags)
        facts.record.tags.push_back(tag);
    written = order.intent;
    job_event e;
    e.intent = written;
    e.phase = job_phase::ended;
    e.status = job_status::success;
    e.id = 1;
    e.at = on.now();
    on.tell(actor, e);
  }

  /// The opcode that moves the instance, of the job that was sent.
  [[nodiscard]] const opcode* sent() const {
    for (const auto& order : jobs->orders)
      for (const auto& op : order.ops)
        if (op.kind == op_kind::instance_migrate
            || op.kind == op_kind::replace_disks)
          return &op;
    return nullptr;
  }

  std::shared_ptr<places_fake> places = std::make_shared<places_fake>();
  std::shared_ptr<submitter_fake> jobs = std::make_shared<submitter_fake>();
  instance_facts facts;
  intent_id written; ///< of the tag job that has ended
  stage on;
  instance_actor actor;
};

} // namespace

TEST_CASE("a repair names the node that was planned for it") {
  rig b;
  b.look();
  REQUIRE(b.sent());
  CHECK(b.sent()->kind == op_kind::instance_migrate);
  CHECK(b.sent()->target == "n3");
  CHECK(b.sent()->allocator.empty());
  REQUIRE(b.places->places.asked.size() == 1);
  CHECK(b.places->places.asked[0].leaves_primary);
  CHECK_FALSE(b.places->places.asked[0].leaves_secondary);
}

TEST_CASE("a new mirror goes where it was planned, and the instance stays") {
  rig b;
  b.facts.nodes[0].drained = false;
  b.node("n2");
  b.facts.nodes[1].drained = true;
  b.facts.record.disks = disk_template::drbd;
  b.facts.record.secondaries = {"n2"};
  b.places->places.answer = [](const place_question&) {
    target_answer x;
    x.found = true;
    x.to = {"n1", "n4"};
    return says(x);
  };
  for (auto i = 0; i < 3; ++i) {
    b.look();
    b.on.run_for(seconds{10});
  }
  REQUIRE(b.sent());
  CHECK(b.sent()->kind == op_kind::replace_disks);
  CHECK(b.sent()->target == "n4");
  CHECK(b.places->places.asked[0].leaves_secondary);
}

TEST_CASE("without an answer in time the allocator picks") {
  rig b;
  b.places->places.answer
    = [](const place_question&) { return reply<target_answer>{}; };
  b.look();
  CHECK(b.sent() == nullptr);
  b.on.run_for(b.on.rules().balance.target_timeout);
  REQUIRE(b.sent());
  CHECK(b.sent()->target.empty());
  CHECK(b.sent()->allocator == b.on.rules().cluster.allocator);
  CHECK(b.jobs->orders.size() == 2); // its token, and the step
}

TEST_CASE("where no place is found the allocator picks at once") {
  rig b;
  b.places->places.answer
    = [](const place_question&) { return says(target_answer{}); };
  b.look();
  REQUIRE(b.sent());
  CHECK(b.sent()->target.empty());
  CHECK(b.sent()->allocator == b.on.rules().cluster.allocator);
}

TEST_CASE("with targets by the allocator nobody is asked") {
  auto rules = rig::rules();
  rules.autorepair.targets = target_picker::allocator;
  rig b{rules};
  b.look();
  REQUIRE(b.sent());
  CHECK(b.sent()->target.empty());
  CHECK(b.places->places.asked.empty());
}

TEST_CASE("an instance that goes to its mirror asks nobody") {
  rig b;
  b.node("n2");
  b.facts.record.disks = disk_template::drbd;
  b.facts.record.secondaries = {"n2"};
  b.look();
  REQUIRE(b.sent());
  CHECK(b.sent()->kind == op_kind::instance_migrate);
  CHECK(b.sent()->target.empty());
  CHECK(b.places->places.asked.empty());
}

TEST_CASE("an instance's last word goes by what it knows now") {
  rig b;
  b.look();
  REQUIRE(b.sent());
  auto intent = b.jobs->orders.back().intent;
  auto word = [&] {
    auto answer = b.on.ask<consent>(b.actor, ask_consent{intent});
    REQUIRE(answer.box->value);
    return *answer.box->value;
  };
  CHECK(word().go);
  SECTION("the node is back in service") {
    b.facts.nodes[0].drained = false;
    b.look();
  }
  SECTION("where it would go is about to be switched off") {
    b.facts.leaving = {{"n3", "power-3, the power-off by root"}};
    b.look();
  }
  SECTION("the cluster was not read for long") {
    b.on.run_for(b.on.rules().cluster.picture_max_age + seconds{1});
  }
  SECTION("it is asked about another intent") {
    intent = "another";
  }
  CHECK_FALSE(word().go);
  CHECK_FALSE(word().why.empty());
}

TEST_CASE("an order is fresh as long as the reading behind it, not longer") {
  rig b;
  b.facts.read_at = b.on.now() - seconds{20};
  b.on.tell(b.actor, b.facts);
  REQUIRE(b.jobs->orders.size() == 1);
  CHECK(b.jobs->orders[0].send_before
        == b.facts.read_at + b.on.rules().cluster.picture_max_age);
}

TEST_CASE("the allocator is not asked while it could pick a node that is about "
          "to go") {
  rig b;
  b.places->places.answer
    = [](const place_question&) { return says(target_answer{}); };
  b.facts.leaving = {{"n3", "power-3, the power-off by root"}};
  b.facts.pickable = "n3";
  b.look();
  CHECK(b.sent() == nullptr);
  SECTION("the person thinks better of it") {
    b.facts.leaving.clear();
  }
  SECTION("it is drained by now, and cannot be picked") {
  }
  b.facts.pickable.clear();
  b.on.run_for(seconds{1});
  b.look();
  b.on.run_for(b.on.rules().autorepair.retry_base);
  b.look();
  CHECK(b.sent());
}

} // namespace orderly::instance_places_test
