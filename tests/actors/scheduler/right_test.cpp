// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last look at the right to act, right before something leaves.

#include "tests/actors/jobs/rig.hpp"
#include "tests/actors/power/rig.hpp"
#include "tests/actors/scheduler/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::scheduler_right_test {

TEST_CASE("a jump of the clocks while the intent was written sends no "
          "command") {
  clock_offsets offsets;
  oob_rig::rig b;
  b.on.ctx()->watch([&offsets] { return offsets; });
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    offsets.boot += hours{1}; // the machine slept; the lease looks young
    offsets.wall += hours{1};
    return says(journal_ack{true, {}}, seconds{1});
  };
  auto off = b.order("node1", power_verb::off);
  b.on.run_for(minutes{5});
  REQUIRE(off);
  CHECK_FALSE(off->confirmed);
  CHECK(off->evidence.find("the clocks jumped: this machine slept for 3600 s")
        != std::string::npos);
  CHECK(b.power->commands().empty());
}

TEST_CASE("after a start jobs of before reserve their places first, though the "
          "cluster is read long after the journal") {
  scheduler_rig b;
  b.on.kill(b.actor);
  b.on.kill(b.memory);
  b.start();
  b.on.run_for(minutes{7}); // luxid is down
  b.give_right();
  auto migration = b.request("node1", act_kind::migrate);
  auto early = b.ask(migration);
  CHECK_FALSE(early.granted);
  CHECK(early.why == "jobs of before the start reserve their places first");
  auto before = b.request("node2", act_kind::migrate);
  before.leaves = {"node2"};
  before.joins = {"node1"};
  before.resumed = true;
  CHECK(b.ask(before).granted);
  b.on.run_for(early.retry_at - b.on.now());
  CHECK(b.ask(migration).why == "node node1 is being filled by node:node2");
  b.release(before.owner);
  CHECK(b.ask(migration).granted);
}

TEST_CASE("a job whose search is answered after the lease is not sent") {
  job_rig b;
  b.queue.on_submit = [](const job_submission&) {
    return says(submit_answer{submit_outcome::unknown, {}, "broken pipe"});
  };
  b.port->trails.answer
    = [&](const trail_query& q) { return says(b.queue.find(q), seconds{20}); };
  b.order("i-1");
  CHECK(b.sent("i-1") == 1);
  auto grace = b.on.rules().cluster.job_match_grace;
  b.on.tell(b.actor, lease{true, b.on.now() + grace + seconds{5}, "right"});
  b.on.run_for(grace + minutes{5});
  CHECK(b.sent("i-1") == 1);
  b.give_right();
  CHECK(b.sent("i-1") == 2);
}

TEST_CASE("after a jump of the clocks no job leaves and no permit is given") {
  clock_offsets offsets;
  SECTION("jobs") {
    job_rig b;
    b.on.ctx()->watch([&offsets] { return offsets; });
    offsets.wall -= minutes{1};
    b.order("i-1");
    b.on.run_for(minutes{1});
    CHECK(b.port->submissions.asked.empty());
  }
  SECTION("permits") {
    scheduler_rig b;
    b.on.ctx()->watch([&offsets] { return offsets; });
    CHECK(b.ask("node1", act_kind::fence).granted);
    offsets.boot += minutes{1};
    offsets.wall += minutes{1};
    CHECK_FALSE(b.ask("node1", act_kind::fence).granted);
    CHECK_FALSE(b.ask("node2", act_kind::record).granted);
  }
}

} // namespace orderly::scheduler_right_test
