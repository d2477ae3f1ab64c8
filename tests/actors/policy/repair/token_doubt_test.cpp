// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds while nobody knows whether a step will begin: its places, its
// permission, and who judges it.

#include "tests/actors/policy/repair/armed.hpp"

namespace orderly::repair_token_doubt_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

TEST_CASE("a step that may begin yet keeps its places") {
  auto b = sent();
  auto late = lose(b);
  CHECK(b.given_back == 0);
  b.look();
  REQUIRE(b.under_way);
  CHECK(b.given_back == 0);
  SECTION("until its token is removed") {
    b.do_job();
    CHECK(b.given_back == 1);
  }
  SECTION("until it is known to have begun") {
    REQUIRE(b.execute(late.ops));
    b.jobs[4711] = {4711, job_status::success, b.now};
    b.trails.emplace_back(b.machine.repair, 4711);
    b.do_job();
    CHECK(b.given_back == 0);
    b.look();
    CHECK(b.given_back == 1);
  }
  SECTION("over a restart, where it asks for them anew") {
    b.end_job(job_phase::refused, job_status::lost, "no quorum");
    b.restart();
    REQUIRE(b.asked);
    CHECK(b.asked->leaves == std::vector<node_name>{"n1"});
    CHECK(b.given_back == 0);
  }
  SECTION("over a restart while its token is removed") {
    b.begin_job();
    b.restart();
    REQUIRE(b.asked);
    CHECK(b.asked->leaves == std::vector<node_name>{"n1"});
  }
}

TEST_CASE("of two jobs that remove a token the second one sees the mark of the "
          "first one") {
  auto b = sent();
  lose(b);
  b.look();
  auto removal = b.under_way->ops;
  SECTION("it is there") {
    REQUIRE(b.execute(removal));
  }
  SECTION("it comes while the first one still works") {
    REQUIRE(b.execute(std::vector<opcode>{removal.front()}));
    b.foreign_job = 4711;
  }
  b.do_job();
  CHECK(b.machine.untraced);
  b.look();
  if (b.foreign_job) {
    CHECK(says(b.machine.why, "waits for job 4711"));
    b.foreign_job.reset();
    REQUIRE(b.execute(std::vector<opcode>{removal.back()}));
    b.look();
  }
  CHECK_FALSE(b.machine.unsure);
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(b.told.empty());
  for (const auto& tag : b.record.tags)
    CHECK_FALSE(is_void_mark(tag));
}

TEST_CASE("what the queue has lost permits nothing while its token stands") {
  auto b = sent();
  b.begin_job();
  b.record.tags.push_back(b.under_way->ops[0].tags[0]);
  b.cluster_tags.clear();
  b.end_job(job_phase::ended, job_status::lost);
  b.run();
  CHECK(b.record.primary == "n1");
  CHECK(says(b.machine.why, "not permitted any more"));
}

TEST_CASE("the sight of a job that ends at its token permits nothing") {
  auto b = armed(broken());
  b.cluster_tags.clear();
  b.do_job();
  b.restart();
  b.machine.untraced = true;
  b.jobs[4711] = {4711, job_status::error, b.now,
                  "OpPrereqError: Tag(s) 'orderly:token:u1:1' not found"};
  b.trails.emplace_back(b.machine.repair, 4711);
  b.run();
  CHECK(b.record.primary == "n1");
  CHECK(says(b.machine.why, "not permitted any more"));
}

TEST_CASE("a failure tag of another repair makes no permission") {
  auto b = armed(broken());
  auto failure = tagged("result:failover:old:1600000000:failure:9");
  b.begin_job();
  b.record.tags.push_back(failure);
  b.cluster_tags.clear();
  b.finish_job();
  b.run();
  CHECK(b.machine.phase == phase::failed);
  std::erase(b.record.tags, failure);
  b.run();
  CHECK(b.record.primary == "n1");
  CHECK(says(b.machine.why, "not permitted any more"));
}

TEST_CASE(
  "a verdict that is not written yet is judged anew when another daemon "
  "goes on with the repair") {
  auto b = sent();
  auto late = lose(b);
  b.look();
  std::erase(b.record.tags, late.ops[0].tags[0]);
  b.do_job();
  b.foreign_job = 9; // nothing can be written
  b.look();
  b.foreign_job.reset();
  b.look();
  REQUIRE(b.machine.phase == phase::failed);
  REQUIRE(b.under_way);
  b.end_job(job_phase::refused, job_status::lost, "no quorum");
  REQUIRE(b.machine.phase == phase::failed);
  b.strays.push_back(
    {b.machine.repair + "/i1/7-failover", 4711, act_kind::failover, {"n2"}});
  b.trails.emplace_back(b.machine.repair, 4711);
  b.jobs[4711] = {4711, job_status::running, never};
  b.foreign_job = 4711;
  b.now += hours{1};
  b.look();
  CHECK(b.machine.phase == phase::pending);
  // It ends well.
  b.strays.clear();
  b.foreign_job.reset();
  std::swap(b.record.primary, b.record.secondaries.front());
  b.nodes["n1"].offline = false;
  b.jobs[4711] = {4711, job_status::success, b.now};
  b.run();
  CHECK(says(b.tags_now().front(), "success"));
}

TEST_CASE("a suspension, or a failure tag, calls back what waits in the queue, "
          "whatever it is") {
  rig b;
  b.nodes["n2"].offline = true;
  b.cluster_tags = {tagged("failover")};
  b.run(false);
  REQUIRE(b.repair_under_way());
  auto tag = GENERATE(as<std::string>{}, "suspend",
                      "result:fix-storage:old:1600000000:failure:9");
  b.record.tags.push_back(tagged(tag));
  b.look();
  CHECK(b.called_back.size() == 1);
  b.look();
  CHECK(b.called_back.size() == 1);
}

TEST_CASE(
  "a restart keeps the places of a step in doubt though its token cannot be "
  "removed just now") {
  auto b = sent();
  lose(b);
  b.look();
  REQUIRE(b.under_way);
  SECTION("auto-repair only observes") {
    b.limits.observe = true;
  }
  SECTION("a person's job works on the instance") {
    b.foreign_job = 9;
  }
  b.restart();
  REQUIRE(b.asked);
  CHECK(b.asked->leaves == std::vector<node_name>{"n1"});
  CHECK(b.given_back == 0);
}

TEST_CASE("who only observes sees that a token is gone") {
  auto b = sent();
  auto late = lose(b);
  b.limits.observe = true;
  b.look();
  CHECK(b.machine.unsure);
  REQUIRE(b.execute(late.ops));
  b.jobs[4711] = {4711, job_status::success, b.now};
  b.trails.emplace_back(b.machine.repair, 4711);
  b.look();
  b.look();
  CHECK_FALSE(b.machine.unsure);
  CHECK(b.given_back == 1);
}

TEST_CASE(
  "who only observes never takes a step that has spent its token for one "
  "that was not sent") {
  auto b = sent();
  auto late = lose(b);
  b.limits.observe = true;
  std::erase(b.record.tags, late.ops[0].tags[0]);
  for (int i = 0; i < 6; ++i)
    b.look();
  CHECK(b.machine.unsure);
  CHECK(b.given_back == 0);
  b.limits.observe = false;
  b.run();
  CHECK(b.repairs.size() == 1);
  CHECK(b.record.primary == "n1");
  CHECK(b.told == texts{"A.REPAIR_FAILED"});
}

TEST_CASE("the end of a repair needs no permission for it") {
  auto b = armed(broken());
  b.do_job();
  b.cluster_tags.clear();
  b.look();
  b.end_job(job_phase::ended, job_status::canceled);
  b.record.tags.push_back(tagged("pending:failover:person:1900000000:"));
  b.look();
  REQUIRE(b.under_way);
  CHECK(second_thoughts(b.machine, b.machine.intent, b.seen(), b.limits, b.now)
          .empty());
}

} // namespace orderly::repair_token_doubt_test
