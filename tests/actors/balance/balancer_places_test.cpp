// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where repairs go: one after the other, never for long, and nowhere rather
// than by old figures.

#include "tests/actors/balance/balancer_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::balance_balancer_places_test {

TEST_CASE("those who leave at the same time get different places") {
  balancer_rig b{false};
  auto first = b.seek("x");
  auto second = b.seek("y");
  auto third = b.seek("z");
  b.on.settle();
  REQUIRE(first);
  REQUIRE(second);
  REQUIRE(third);
  CHECK(first->to.primary == "n1");
  CHECK(second->to.primary == "n2");
  CHECK(third->to.primary == "n3");
  CHECK(b.models->reads.asked.size() == 1);
}

TEST_CASE("who asks again does not stand in its own way") {
  balancer_rig b{false};
  CHECK(b.seek("x")->to.primary == "n1");
  CHECK(b.seek("x")->to.primary == "n1");
}

TEST_CASE("a place is free again when its instance is seen there, or never "
          "comes") {
  balancer_rig b{false};
  CHECK(b.seek("a")->to.primary == "n1");
  CHECK(b.seek("y")->to.primary == "n2");
  instance_record y;
  y.name = "y";
  y.primary = "n2";
  b.cluster.instances.push_back(y);
  b.read();
  CHECK(b.seek("z")->to.primary == "n2");
  b.run(b.on.rules().cluster.job_deadline + minutes{1});
  CHECK(b.seek("w")->to.primary == "n1");
}

TEST_CASE("mirrored instances that leave a drained node count at their "
          "mirrors") {
  balancer_rig b{false};
  b.cluster.nodes[0].drained = true;
  b.read();
  b.seek("x");
  REQUIRE(b.placer->targets.asked.size() == 1);
  const auto& going = b.placer->targets.asked[0].under_way;
  CHECK(going.at("a") == instance_place{"n2", "n1"});
  CHECK(going.at("b") == instance_place{"n2", "n1"});
  CHECK(going.count("c") == 0);
}

TEST_CASE("a placer that is silent delays nobody for longer than the limit, "
          "and nobody behind it") {
  balancer_rig b{false};
  b.placer->targets.answer
    = [](const target_question&) { return reply<target_answer>{}; };
  auto limit = b.on.rules().balance.target_timeout;
  auto first = b.seek("x");
  auto second = b.seek("y");
  b.on.run_for(limit - millis{1});
  CHECK_FALSE(first);
  b.on.run_for(millis{1});
  REQUIRE(first);
  CHECK_FALSE(first->found);
  REQUIRE(second);
  CHECK_FALSE(second->found);
}

TEST_CASE("without a model there is no place, and it is not asked for again at "
          "once") {
  balancer_rig b{false};
  b.models->reads.answer = [](const read_model&) {
    model_answer none;
    none.text = "the socket is gone";
    return says(none);
  };
  auto first = b.seek("x");
  REQUIRE(first);
  CHECK_FALSE(first->found);
  CHECK(first->text == "the model could not be read: the socket is gone");
  for (auto i = 0; i < 5; ++i)
    CHECK_FALSE(b.seek("y")->found);
  CHECK(b.models->reads.asked.size() == 1);
  CHECK(b.placer->targets.asked.empty());
}

TEST_CASE("figures that are too old are read anew before a place is named") {
  balancer_rig b{false};
  b.seek("x");
  b.on.run_for(b.on.rules().balance.model_max_age);
  b.seek("y");
  CHECK(b.models->reads.asked.size() == 1);
  b.on.run_for(seconds{1});
  b.seek("z");
  CHECK(b.models->reads.asked.size() == 2);
}

TEST_CASE("while a node is in trouble a model is kept at hand, and otherwise "
          "not") {
  balancer_rig b{false};
  b.run(hours{2});
  CHECK(b.models->reads.asked.empty());
  b.stand("n2", true);
  b.run(hours{1});
  auto reads = b.models->reads.asked.size();
  CHECK(reads >= 6);
  CHECK(reads <= 9);
  b.stand("n2", false);
  b.run(hours{1});
  CHECK(b.models->reads.asked.size() == reads);
}

TEST_CASE("nodes in trouble and silent nodes are no places") {
  balancer_rig b{false};
  b.stand("n1", true);
  b.stand("n2", false, "power-1 by anna");
  b.models->reads.answer = [](const read_model&) {
    auto x = balancer_rig::figures();
    x.silent = {"n3"};
    return says(x);
  };
  CHECK(b.seek("x")->to.primary == "n4");
}

TEST_CASE("with targets by the allocator nobody is told a place") {
  balancer_rig b{false};
  auto rules = balancer_rig::rules(false);
  rules.autorepair.targets = target_picker::allocator;
  b.on.change(rules);
  CHECK_FALSE(b.seek("x")->found);
  CHECK(b.models->reads.asked.empty());
}

TEST_CASE("no more than a thousand wait for a place") {
  balancer_rig b{false};
  b.models->reads.answer
    = [](const read_model&) { return reply<model_answer>{}; };
  for (std::size_t i = 0; i < balancer_state::places_max; ++i)
    CHECK_FALSE(b.seek(("x" + std::to_string(i)).c_str()));
  auto more = b.seek("y");
  REQUIRE(more);
  CHECK(more->text == "too many ask for a place at once");
}

TEST_CASE("a place is free again when no job for it comes") {
  balancer_rig b{false};
  CHECK(b.seek("a")->to.primary == "n1");
  CHECK(b.seek("y")->to.primary == "n2");
  b.run(minutes{2});
  CHECK(b.seek("z")->to.primary == "n1");
}

TEST_CASE("a place stays given as long as a job works on its instance") {
  balancer_rig b{false};
  CHECK(b.seek("a")->to.primary == "n1");
  running_job job;
  job.id = 4;
  job.instances = {"a"};
  b.cluster.jobs = {job};
  b.run(minutes{5});
  CHECK(b.seek("z")->to.primary == "n2");
}

} // namespace orderly::balance_balancer_places_test
