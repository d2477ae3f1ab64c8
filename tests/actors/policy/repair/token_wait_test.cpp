// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a token waits for, what permits it, and tokens of others.

#include "tests/actors/policy/repair/armed.hpp"

namespace orderly::repair_token_wait_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

TEST_CASE(
  "with a delay the tags are seen for so long while the permit is held, "
  "and the job does not wait") {
  auto b = broken();
  b.limits.tokens = true;
  b.limits.job_delay = seconds{10};
  b.look();
  b.answer_permit(true);
  REQUIRE(b.under_way);
  CHECK(b.under_way->ops.front().tags.size() == 3); // and its mark
  b.do_job();
  CHECK(b.machine.stage == stage::arming);
  CHECK(b.given_back == 0);
  b.look();
  CHECK_FALSE(b.under_way);
  SECTION("nothing happens meanwhile") {
    b.now += seconds{10};
    b.look();
    REQUIRE(b.repair_under_way());
    for (const auto& op : b.under_way->ops)
      CHECK(op.kind != op_kind::wait);
    b.run();
    CHECK(b.record.primary == "n2");
  }
  SECTION("its home comes back meanwhile") {
    b.nodes["n1"].offline = false;
    b.nodes["n1"].proved_down.reset();
    b.now += seconds{10};
    b.look();
    CHECK(b.given_back == 1);
    CHECK_FALSE(b.repair_under_way());
    b.run();
    CHECK(b.record.primary == "n1");
    CHECK(tokens_on(b).empty());
  }
  SECTION("orderly is restarted meanwhile") {
    b.restart();
    CHECK(b.machine.stage == stage::idle);
    b.look();
    b.answer_permit(true);
    b.do_job();
    CHECK(b.machine.stage == stage::arming); // seen for as long once more
    b.now += seconds{10};
    b.run();
    CHECK(b.record.primary == "n2");
    b.now += seconds{10}; // the same for the mirror
    b.run();
    CHECK(tokens_on(b).empty());
  }
}

TEST_CASE(
  "a repair whose tags came with its token still needs its permission") {
  auto b = armed(broken());
  SECTION("taken away before its step leaves") {
    b.begin_job();
    b.cluster_tags.clear();
    b.finish_job();
    CHECK(b.given_back == 1);
    CHECK(says(b.machine.why, "not permitted any more"));
    b.run();
    CHECK(b.record.primary == "n1");
  }
  SECTION("taken away while its step waits in the queue") {
    b.do_job();
    REQUIRE(b.repair_under_way());
    b.cluster_tags.clear();
    b.look();
    CHECK(b.called_back.size() == 1);
    b.end_job(job_phase::ended, job_status::canceled);
    b.run();
    CHECK(b.record.primary == "n1");
    CHECK(says(b.machine.why, "not permitted any more"));
  }
  CHECK_FALSE(b.repair_under_way());
  b.cluster_tags = {tagged("failover")};
  b.now += hours{1};
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("a queue that takes no jobs costs its token no growing pauses") {
  auto b = armed(broken());
  for (int i = 0; i < 8; ++i) {
    b.end_job(job_phase::refused, job_status::lost, "Job queue is drained");
    CHECK(b.machine.due - b.now <= b.limits.retry_base);
    b.now = b.machine.due;
    b.look();
    REQUIRE(b.asked);
    b.answer_permit(true);
    REQUIRE(b.machine.stage == stage::arming);
  }
  CHECK(b.told == texts{"A.HELD_BACK"});
}

TEST_CASE("its own token that counts no more is nobody else's") {
  auto b = armed(broken());
  b.begin_job(); // it is set, then the job fails at its second opcode
  b.end_job(job_phase::ended, job_status::error, "no quorum");
  REQUIRE(tokens_on(b).size() == 1);
  b.now += hours{1};
  b.look();
  CHECK_FALSE(says(b.machine.why, "another daemon"));
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(tokens_on(b).empty());
}

TEST_CASE(
  "another daemon's token is waited for, then removed, and its jobs are "
  "sought after that") {
  rig b;
  b.limits.tokens = true;
  b.kill("n1");
  b.record.tags = {tagged("pending:failover:abc:1700000000:"),
                   "orderly:token:abc:1", "orderly:unbegun:abc"};
  b.look();
  CHECK_FALSE(b.under_way);
  CHECK(says(b.machine.why, "another daemon"));
  CHECK(b.machine.untraced);
  SECTION("its step came") {
    std::erase(b.record.tags, "orderly:token:abc:1");
    std::erase(b.record.tags, "orderly:unbegun:abc");
    std::swap(b.record.primary, b.record.secondaries.front());
    b.jobs[77] = {77, job_status::success, b.now};
    b.trails.emplace_back("abc", 77);
    b.run();
    CHECK(says(b.tags_now().front(), "77"));
  }
  SECTION("it did not, and nothing permits it any more") {
    b.now += minutes{1};
    b.run();
    CHECK(b.record.primary == "n1");
    CHECK(says(b.machine.why, "not permitted any more"));
  }
  SECTION("it did not") {
    b.cluster_tags = {tagged("failover")};
    b.now += minutes{1};
    b.look();
    REQUIRE(b.under_way);
    CHECK(b.under_way->ops[0].kind == op_kind::tags_del);
    CHECK(b.under_way->ops[0].tags
          == std::vector<std::string>{"orderly:token:abc:1"});
    b.run();
    CHECK(b.record.primary == "n2");
    CHECK_FALSE(stands(b, "orderly:unbegun:abc"));
  }
  SECTION("a person had set the tag, which is a permission") {
    std::erase(b.record.tags, "orderly:unbegun:abc");
    b.machine = {};
    b.look();
    b.now += minutes{1};
    b.run();
    CHECK(b.record.primary == "n2");
  }
}

TEST_CASE("a tag that came with a token permits nothing to a next master") {
  auto b = armed(broken());
  b.do_job();
  const auto mark = unbegun_text(b.machine.repair);
  REQUIRE(stands(b, mark));
  b.under_way.reset(); // the master dies, and its journal with it
  b.machine = {};
  SECTION("while its token stands") {
    b.cluster_tags.clear();
    b.look();
    b.now += minutes{1};
    b.run();
  }
  SECTION("when its token is gone") {
    std::erase_if(b.record.tags, [](const auto& tag) { return is_token(tag); });
    b.cluster_tags.clear();
    b.run();
  }
  SECTION("beside a failure tag that goes") {
    auto failure = tagged("result:failover:old:1600000000:failure:9");
    b.record.tags.push_back(failure);
    b.run();
    std::erase(b.record.tags, failure);
    b.cluster_tags.clear();
    b.run();
  }
  CHECK(b.record.primary == "n1");
  CHECK(says(b.machine.why, "not permitted any more"));
  CHECK(stands(b, mark));
  b.cluster_tags = {tagged("failover")};
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK_FALSE(stands(b, mark));
}

TEST_CASE("once its step has run a pending tag is a permission to all") {
  auto b = sent();
  b.do_job();
  REQUIRE(b.record.primary == "n2");
  for (const auto& tag : b.record.tags)
    CHECK_FALSE(is_unbegun_mark(tag));
}

TEST_CASE("tokens and marks of a repair that is over go with the next tags") {
  rig b;
  b.limits.tokens = true;
  b.record.tags = {"orderly:token:gone:3", "orderly:unbegun:gone"};
  b.run();
  CHECK(b.record.tags.empty());
}

TEST_CASE("a restart while the token is written asks for a new permit") {
  auto b = armed(broken());
  b.restart();
  CHECK(b.machine.stage == stage::idle);
  b.under_way.reset();
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(tokens_on(b).empty());
}

TEST_CASE("a suspension keeps no token from being removed") {
  rig b;
  b.limits.tokens = true;
  b.kill("n1");
  const std::string token = "orderly:token:abc:1";
  auto suspended = tagged("suspend");
  SECTION("another daemon's, after a while") {
    b.record.tags = {tagged("pending:failover:abc:1700000000:"), token};
    b.cluster_tags = {suspended};
    b.run();
    CHECK(stands(b, token));
    CHECK(b.machine.phase == phase::pending);
    b.now += minutes{1};
    b.look();
    REQUIRE(b.under_way);
    CHECK(
      second_thoughts(b.machine, b.machine.intent, b.seen(), b.limits, b.now)
        .empty());
    b.run();
    CHECK(b.tags_now() == texts{"pending:failover:abc:1700000000:"});
  }
  SECTION("one of a repair that is over") {
    b.record.tags = {token, suspended};
    b.run();
    CHECK(b.tags_now() == texts{"suspend"});
  }
  SECTION("beside a tag that is over, which stays until the suspension ends") {
    auto success = tagged("result:failover:old:1600000000:success:1");
    auto later = tagged("result:failover:new:1600000001:success:2");
    b.record.tags = {token, suspended, success, later};
    b.run();
    CHECK(stands(b, success));
  }
  CHECK_FALSE(stands(b, token));
  CHECK(b.record.primary == "n1");
}

TEST_CASE("no token stands beside a failure tag, whosever it is") {
  rig b;
  b.limits.tokens = true;
  b.kill("n1");
  b.cluster_tags = {tagged("failover")};
  b.record.tags
    = {tagged("result:failover:old:1600000000:failure:9"),
       tagged("pending:failover:abc:1700000000:"), "orderly:token:abc:1"};
  SECTION("with a suspension beside it") {
    b.cluster_tags.push_back(tagged("suspend"));
  }
  SECTION("without") {
  }
  b.run();
  CHECK(tokens_on(b).empty());
  CHECK(b.tags_now().size() == 2);
  CHECK(b.record.primary == "n1");
}

TEST_CASE("a repair that is not permitted any more stands in nobody's way") {
  auto b = armed(broken());
  b.do_job();
  REQUIRE(b.repair_under_way());
  b.cluster_tags.clear();
  b.look();
  b.end_job(job_phase::ended, job_status::canceled);
  b.run();
  CHECK(says(b.machine.why, "not permitted any more"));
  b.now += hours{1};
  b.record.tags.push_back(tagged("pending:failover:person:1900000000:"));
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(tokens_on(b).empty());
  for (const auto& tag : b.tags_now())
    CHECK_FALSE(says(tag, "pending"));
}

} // namespace orderly::repair_token_wait_test
