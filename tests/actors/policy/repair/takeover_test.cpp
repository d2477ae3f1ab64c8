// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Repairs that are known from tags alone: of other tools, of an earlier life,
// or of one pass of `orderly harep` after the other.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_takeover_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

std::string pending_of(const std::string& id, const std::string& type,
                       const std::string& rest) {
  return tagged("pending:" + type + ":" + id + ":" + rest);
}

} // namespace

TEST_CASE("a repair is not judged by a picture from before its jobs ended") {
  rig b;
  b.kill("n1");
  b.record.tags = {pending_of(id1, "failover", "1699990000:101")};
  b.jobs[101] = {101, job_status::running, never};
  b.run();
  auto old = b.seen(); // the failover is not in it
  b.record.primary = "n2";
  b.record.secondaries = {"n1"};
  auto known_end = GENERATE(true, false);
  b.now += seconds{1};
  b.jobs[101] = {101, job_status::success, known_end ? b.now : never};
  old.jobs = b.jobs;
  b.now += seconds{1};
  b.apply(step(b.machine, looked{old, b.fresh()}, b.limits, b.now));
  CHECK_FALSE(b.asked);
  CHECK(b.repairs.empty());
  CHECK_FALSE(standing(b.machine, old, b.limits, b.now).settled);
  b.now += seconds{1};
  b.run();
  CHECK(b.kinds() == std::vector<op_kind>{op_kind::replace_disks});
}

TEST_CASE("nothing is done while the queue does not tell how a job ended") {
  rig b;
  b.kill("n1");
  b.record.tags = {pending_of(id1, "failover", "1699990000:101")};
  b.queue_answers = false;
  b.run();
  CHECK(b.intents.empty());
  CHECK(says(b.shown().waits_for, "asks how job 101"));
  CHECK_FALSE(b.shown().settled);
}

TEST_CASE("a stray failover is called back unless its ground is seen now") {
  rig b;
  b.kill("n1");
  b.record.tags = {tagged("failover")};
  auto seen = b.seen();
  seen.strays = {{"r/web1/1-failover", 7, act_kind::failover}};
  CHECK(groundless(seen, b.limits, b.now).empty());
  SECTION("nobody vouches for its home") {
    seen.primary.proved_down.reset();
    REQUIRE(groundless(seen, b.limits, b.now).size() == 1);
    CHECK(groundless(seen, b.limits, b.now).front().id == 7);
  }
  SECTION("its home is in service again") {
    seen.primary.offline = false;
    CHECK(groundless(seen, b.limits, b.now).size() == 1);
  }
  SECTION("a reinstallation that has moved already goes on") {
    seen.strays = {{"r/web1/1-reinstall", 9, act_kind::reinstall, {"n4"}}};
    CHECK(groundless(seen, b.limits, b.now).size() == 1);
    seen.primary.offline = false;
    seen.primary.name = seen.instance.primary = "n4";
    CHECK(groundless(seen, b.limits, b.now).empty());
  }
  SECTION("whoever observes leaves it to others unless its home lives") {
    seen.primary.proved_down.reset();
    b.limits.observe = true;
    CHECK(groundless(seen, b.limits, b.now).empty());
    seen.primary.lives = true;
    CHECK(groundless(seen, b.limits, b.now).size() == 1);
  }
}

TEST_CASE("a stray migration is called back unless one is needed now") {
  rig b;
  b.nodes["n1"].drained = true;
  auto seen = b.seen();
  seen.strays = {{"r/web1/1-migrate", 8, act_kind::migrate}};
  auto back = [&] { return groundless(seen, b.limits, b.now).size(); };
  seen.instance.tags = {pending_of("r", "migrate", "1699990000:8")};
  REQUIRE(back() == 0);
  SECTION("its home is marked offline: it would be a failover") {
    seen.primary.offline = true;
    CHECK(back() == 1);
  }
  SECTION("its home is in service again") {
    seen.primary.drained = false;
    CHECK(back() == 1);
  }
  SECTION("the copy that it goes to is known to be faulty") {
    seen.copy_fault = "disk/0 is broken on n2";
    CHECK(back() == 1);
  }
}

TEST_CASE("a stray repair of a mirror is called back once something else is "
          "needed, or its mirror is heard to be well") {
  rig b;
  b.nodes["n2"].drained = true;
  auto seen = b.seen();
  seen.strays = {{"r/web1/1-fix-storage", 8, act_kind::fix_storage}};
  auto back = [&] { return groundless(seen, b.limits, b.now).size(); };
  REQUIRE(back() == 0);
  SECTION("its home is to be left") {
    seen.primary.drained = true;
    seen.secondaries.front().drained = false;
    CHECK(back() == 1);
  }
  SECTION("its nodes are in service") {
    seen.secondaries.front().drained = false;
    seen.mirror_read_at = never;
    CHECK(back() == 0); // it may be there for a fault that is not heard of yet
    seen.mirror_read_at = b.now;
    CHECK(back() == 1);
  }
}

TEST_CASE("a reinstallation that did not end well is no repair that did") {
  rig b;
  b.record.tags = {pending_of(id1, "reinstall", "1699990000:101")};
  auto how = GENERATE(job_status::error, job_status::canceled);
  b.machine.withdrawn = true;
  b.jobs[101] = {101, how, b.now, {}, true};
  b.now += seconds{1};
  b.run();
  CHECK(b.tags_now()
        == texts{"result:reinstall:" + id1 + ":1700000001:failure:101"});
}

TEST_CASE("a job that was called back in time is no failure of its repair") {
  rig b;
  b.kill("n1");
  b.record.tags = {pending_of(id1, "failover", "1699990000:101")};
  b.jobs[101] = {101, job_status::waiting, never};
  b.run();
  b.machine.withdrawn = true;
  b.jobs[101] = {101, job_status::canceled, b.now};
  b.now += seconds{1};
  b.run();
  b.now += seconds{1};
  b.run();
  CHECK(b.tags_now().front().find(":failure:") == std::string::npos);
  REQUIRE_FALSE(b.kinds().empty());
  CHECK(b.kinds().front() == op_kind::instance_failover);
}

TEST_CASE("a live job with the id of a pending tag in its trail is its job") {
  rig b;
  b.kill("n1");
  b.record.tags = {pending_of(id1, "failover", "1699990000:")};
  b.trails = {{id1, 555}, {id2, 556}};
  b.jobs[555] = {555, job_status::running, never};
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine.jobs == std::vector<job_id>{555});
  CHECK(says(b.shown().waits_for, "waits for job 555"));
  b.trails.clear();
  SECTION("it worked") {
    b.jobs[555] = {555, job_status::success, b.now};
    b.record.primary = "n2";
    b.record.secondaries = {"n3"};
    b.run();
    CHECK(b.tags_now()
          == texts{"result:failover:" + id1 + ":1700000000:success:555"});
  }
  SECTION("it failed: a failover is not done twice") {
    b.jobs[555] = {555, job_status::error, b.now};
    b.run();
    CHECK(b.repairs.empty());
    CHECK(b.tags_now()
          == texts{"result:failover:" + id1 + ":1700000000:failure:555"});
  }
}

TEST_CASE("the same pending tag given a second time is worked on again") {
  rig b;
  auto tag = pending_of(id1, "failover", "1699990000:");
  b.kill("n1");
  b.record.tags = {tag};
  b.run();
  CHECK(b.record.primary == "n2");
  b.now += hours{1};
  b.kill("n2");
  b.record.tags = {tag};
  b.run();
  CHECK(b.record.primary == "n3");
}

TEST_CASE("of several pending tags each is worked on, the oldest first") {
  rig b;
  b.nodes["n2"].offline = true;
  b.record.tags = {pending_of(id2, "failover", "1699995000:201"),
                   pending_of(id1, "fix-storage", "1699990000:101")};
  SECTION("the first one's job runs: the second waits") {
    b.jobs[101] = {101, job_status::running, never};
    auto before = b.record.tags;
    b.run();
    CHECK(b.record.tags == before);
    CHECK(says(b.shown().waits_for, "job 101"));
  }
  SECTION("the first one failed thrice: the second has to wait for a person") {
    b.record.tags[1] = pending_of(id1, "fix-storage", "1699990000:101+102+103");
    for (job_id id : {101, 102, 103})
      b.jobs[id] = {id, job_status::error, never};
    b.run();
    CHECK(b.machine.phase == phase::failed);
    CHECK(b.repairs.empty());
    CHECK(b.tags_now().size() == 2);
    std::erase_if(b.record.tags,
                  [](const auto& text) { return says(text, ":failure:"); });
    b.jobs[201] = {201, job_status::success, never};
    b.run();
    CHECK(b.repairs.size() == 1);
    CHECK(b.machine == state{});
  }
  SECTION("both end well") {
    b.jobs[101] = {101, job_status::success, never};
    b.jobs[201] = {201, job_status::success, never};
    b.run();
    CHECK(b.repairs.size() == 1);
    CHECK(b.machine == state{});
    CHECK(b.tags_now().size() == 2); // of the same second: both are newest
  }
}

TEST_CASE("enoperm after a repair is kept by passes that remember nothing") {
  auto jobs = GENERATE(std::string{}, std::string{"101"});
  rig b;
  b.be_harep();
  b.nodes["n1"].offline = true;
  b.cluster_tags = {tagged("fix-storage")};
  b.record.tags = {pending_of(id1, "fix-storage", "1699990000:" + jobs)};
  b.jobs[101] = {101, job_status::success, never};
  b.run();
  auto left
    = texts{"result:fix-storage:" + id1 + ":1700000000:enoperm:" + jobs};
  CHECK(b.tags_now() == left);
  for (int i = 0; i < 3; ++i) {
    b.machine = {};
    b.now += minutes{5};
    b.run();
    CHECK(b.tags_now() == left);
  }
  CHECK(b.intents.size() == 1);
  b.cluster_tags = {tagged("failover")};
  b.machine = {};
  b.run(false);
  REQUIRE(b.tags_now().size() == 1);
  CHECK(says(b.tags_now()[0], "pending:failover:"));
}

TEST_CASE("passes that remember nothing bring a repair to its end together") {
  auto delay = GENERATE(seconds{10}, seconds{0});
  rig b;
  b.be_harep(delay);
  b.nodes["n1"].offline = true;
  b.cluster_tags = {tagged("failover")};
  b.run(false);
  CHECK(b.shown().settled);
  CHECK(b.tags_now() == texts{"pending:failover:u1:1700000000:1002"});
  b.finish_job(); // after the pass has left
  for (int pass = 0; pass < 2; ++pass) {
    b.asked.reset();
    b.under_way.reset();
    b.note.reset();
    b.machine = {};
    b.now += minutes{5};
    b.run(false);
    CHECK(b.shown().settled);
    if (b.under_way)
      b.finish_job();
  }
  CHECK(b.record.primary == "n2");
  CHECK(b.kinds()
        == std::vector<op_kind>{op_kind::instance_failover,
                                op_kind::replace_disks});
  REQUIRE(b.tags_now().size() == 1);
  CHECK(says(b.tags_now()[0], "result:failover:u1:"));
  CHECK(says(b.tags_now()[0], ":success:1002+1003"));
}

} // namespace orderly::repair_takeover_test
