// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What may be done but once takes a token first, and whoever removes the token
// first, its job or we, decides whether it is done.

#include "tests/actors/policy/repair/armed.hpp"

namespace orderly::repair_token_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

TEST_CASE("a token names its repair and its number, and fits into a tag") {
  CHECK(token_text("abc", 7) == "orderly:token:abc:7");
  CHECK(is_token("orderly:token:abc:7"));
  CHECK_FALSE(is_token("orderly:tokens"));
  CHECK(is_token_of("orderly:token:abc:7", "abc"));
  CHECK_FALSE(is_token_of("orderly:token:abcd:7", "abc"));
  CHECK_FALSE(tags::parse(token_text("abc", 7)));
}

TEST_CASE("a failover's permit is held while its tags are written, and its job "
          "removes the token right before its act") {
  auto b = armed(broken());
  const auto& first = b.under_way->ops;
  CHECK(b.under_way->once); // else it could set the token anew
  REQUIRE(first.size() == 1);
  REQUIRE(first[0].tags.size() == 3);
  CHECK(tags::parse(first[0].tags[0]));
  CHECK(is_token(first[0].tags[1]));
  CHECK(is_unbegun_mark(first[0].tags[2]));
  b.do_job();
  CHECK(b.given_back == 0);
  const auto& ops = b.under_way->ops;
  REQUIRE(ops.size() == 2);
  CHECK(ops[0].kind == op_kind::tags_del);
  CHECK(ops[0].tags
        == texts{tokens_on(b).front(), unbegun_text(b.machine.repair)});
  CHECK(ops[1].kind == op_kind::instance_failover);
  CHECK(b.machine.token == token_state::sent);
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(tokens_on(b).empty());
  CHECK(b.machine.token == token_state::none);
}

TEST_CASE("a repair of a mirror takes no token") {
  rig b;
  b.limits.tokens = true;
  b.nodes["n2"].offline = true;
  b.cluster_tags = {tagged("failover")};
  b.run(false);
  REQUIRE(b.repair_under_way());
  CHECK(tokens_on(b).empty());
}

TEST_CASE("a single pass takes no token") {
  auto b = broken();
  b.be_harep();
  b.run();
  CHECK(b.record.primary == "n2");
  for (const auto& op : b.tag_ops)
    for (const auto& tag : op.tags)
      CHECK_FALSE(is_token(tag));
}

TEST_CASE("a failover whose ground falls while its token is written does not "
          "leave, and gives its permit back") {
  auto b = armed(broken());
  SECTION("before its tags leave") {
    b.nodes["n1"].proved_down.reset();
    CHECK(says(
      second_thoughts(b.machine, b.machine.intent, b.seen(), b.limits, b.now),
      "waits for proof"));
  }
  SECTION("before it leaves itself") {
    b.begin_job();
    b.nodes["n1"].proved_down.reset();
    b.finish_job();
    CHECK(b.given_back == 1);
    CHECK_FALSE(b.repair_under_way());
    CHECK(says(b.machine.why, "does not fail over now"));
    b.prove("n1");
    b.run();
    CHECK(b.record.primary == "n2");
    CHECK(tokens_on(b).empty());
  }
  SECTION("its tags cannot be written") {
    b.begin_job();
    b.end_job(job_phase::ended, job_status::error, "no quorum");
    CHECK(b.given_back == 1);
    CHECK(b.machine.stage == stage::idle);
    CHECK(b.machine.from.empty());
  }
}

TEST_CASE("a failover of which two searches found no job never begins once its "
          "token is removed") {
  auto b = sent();
  auto late = lose(b);
  CHECK(b.machine.unsure);
  b.look();
  REQUIRE(b.under_way);
  REQUIRE(b.under_way->ops.size() == 2); // with the mark of who was first
  CHECK(b.under_way->ops[0].kind == op_kind::tags_del);
  CHECK(b.under_way->ops[1].kind == op_kind::tags_set);
  CHECK(b.given_back == 0);
  auto token = b.under_way->ops[0].tags;
  CHECK(token == texts{late.ops[0].tags[0]});
  b.do_job();
  CHECK_FALSE(b.machine.unsure);
  CHECK(says(b.machine.why, "cannot begin any more"));
  // Luxid reads it now.
  CHECK_FALSE(b.execute(late.ops));
  CHECK(b.record.primary == "n1");
  SECTION("its repair goes on with another token") {
    b.run();
    CHECK(b.record.primary == "n2");
    CHECK(b.told.empty());
    CHECK_FALSE(b.execute(late.ops));
    CHECK(b.record.primary == "n2");
  }
  SECTION("its home came back: nothing is done any more") {
    b.nodes["n1"].offline = false;
    b.nodes["n1"].proved_down.reset();
    b.run();
    CHECK(b.record.primary == "n1");
    CHECK(tokens_on(b).empty());
  }
}

TEST_CASE("a failover that luxid reads before its token is removed is found") {
  auto b = sent();
  auto late = lose(b);
  b.look();
  REQUIRE(b.under_way);
  // The job is first: ours finds no token.
  job_id id = 4711;
  REQUIRE(b.execute(late.ops));
  b.jobs[id] = {id, job_status::success, b.now};
  b.trails.emplace_back(b.machine.repair, id);
  b.do_job();
  CHECK(b.machine.untraced);
  CHECK(says(b.machine.why, "it has begun after all"));
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(b.told.empty());
  CHECK(b.repairs.size() == 2); // the failover, and its new mirror
  CHECK(says(b.tags_now().front(), "4711"));
}

TEST_CASE("a person is asked where the token is gone and no job is found") {
  auto b = sent();
  auto late = lose(b);
  b.look();
  std::erase(b.record.tags, late.ops[0].tags[0]);
  b.do_job();
  b.run();
  CHECK(b.record.primary == "n1");
  CHECK(b.told == texts{"A.REPAIR_FAILED"});
  CHECK(std::any_of(b.story.begin(), b.story.end(), [](const auto& text) {
    return says(text, "its token is gone, and the queue");
  }));
}

TEST_CASE("a repair whose step found no token still needs its permission") {
  auto b = sent();
  b.record.tags.erase(std::find(b.record.tags.begin(), b.record.tags.end(),
                                b.under_way->ops[0].tags[0]));
  b.do_job();
  b.cluster_tags.clear();
  b.now += hours{1};
  b.run();
  CHECK(b.record.primary == "n1");
  CHECK(says(b.machine.why, "not permitted any more"));
}

TEST_CASE("a token is removed though the instance is suspended by then") {
  auto b = sent();
  lose(b);
  b.record.tags.push_back(tagged("suspend"));
  b.look();
  REQUIRE(b.under_way);
  CHECK(b.under_way->ops[0].kind == op_kind::tags_del);
  CHECK(second_thoughts(b.machine, b.machine.intent, b.seen(), b.limits, b.now)
          .empty());
}

TEST_CASE("nothing is removed while auto-repair only observes") {
  auto b = sent();
  lose(b);
  b.limits.observe = true;
  b.look();
  CHECK_FALSE(b.under_way);
  CHECK(b.machine.unsure);
  b.limits.observe = false;
  b.look();
  CHECK(b.under_way);
}

TEST_CASE("a step that was held back keeps its token for the next try") {
  auto b = sent();
  auto token = tokens_on(b);
  b.end_job(job_phase::refused, job_status::lost, "paused");
  // What we refused ourselves was not tried.
  auto c = sent();
  job_event e;
  e.intent = c.machine.intent;
  e.phase = job_phase::refused;
  e.untried = true;
  e.at = c.now;
  auto before = c.seen();
  c.under_way.reset();
  c.apply(step(c.machine, job_ended{e, before}, c.limits, c.now));
  CHECK(c.machine.token == token_state::standing);
  c.now += minutes{5};
  c.look();
  c.answer_permit(true);
  CHECK(c.repair_under_way());
  CHECK(b.machine.token == token_state::none);
}

TEST_CASE("a failover of which the queue says nothing until its deadline never "
          "begins once its token is removed") {
  auto b = sent();
  auto late = b.under_way->ops;
  job_event e;
  e.intent = b.machine.intent;
  e.phase = job_phase::overdue;
  e.text = "unknown whether it was sent: the queue does not answer";
  auto before = b.seen();
  b.now += millis{1};
  e.at = b.now;
  b.under_way.reset();
  b.apply(step(b.machine, job_ended{e, before}, b.limits, b.now));
  CHECK(b.machine.unsure);
  CHECK(b.told.empty());
  b.look();
  b.do_job();
  CHECK_FALSE(b.execute(late));
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(b.told.empty());
}

TEST_CASE("a failover that the queue has forgotten is judged by its token") {
  auto b = sent();
  b.begin_job();
  auto token = b.under_way->ops[0].tags[0];
  SECTION("it stands: it has not begun, and never will") {
    if (!stands(b, token))
      b.record.tags.push_back(token);
    b.end_job(job_phase::ended, job_status::lost);
    b.run();
    CHECK(b.record.primary == "n2");
    CHECK(b.told.empty());
  }
  SECTION("it is gone, and its instance is where it was") {
    std::erase(b.record.tags, token);
    b.end_job(job_phase::ended, job_status::lost);
    b.run();
    CHECK(b.record.primary == "n1");
    CHECK(b.told == texts{"A.REPAIR_FAILED"});
  }
  SECTION("it is gone, and its instance has moved") {
    std::erase(b.record.tags, token);
    std::swap(b.record.primary, b.record.secondaries.front());
    b.end_job(job_phase::ended, job_status::lost);
    b.nodes["n1"].offline = false;
    b.run();
    CHECK(b.told.empty());
    CHECK(says(b.tags_now().front(), "success"));
  }
}

TEST_CASE("a job that found no token is no failed failover, whoever asks for "
          "it") {
  rig b;
  b.limits.tokens = true;
  b.kill("n1");
  b.cluster_tags = {tagged("failover")};
  b.record.tags = {tagged("pending:failover:abc:1700000000:77")};
  b.jobs[77] = {77, job_status::error, b.now,
                "OpPrereqError: Tag(s) orderly:token:abc:1 not found "
                "(wrong_input)"};
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(b.told.empty());
}

} // namespace orderly::repair_token_test
