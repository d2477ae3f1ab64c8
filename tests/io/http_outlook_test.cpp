// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The sentence about an instance: what will be done, or why nothing will.

#include "io/http/outlook.hpp"
#include "tests/io/http_site.hpp"

using namespace orderly;
using namespace orderly::test;
using io::http::forecast_for;
using io::http::outlook;

namespace {

/// web1 of the small cluster, permitted what it takes.
struct scene {
  scene() {
    x.standing.allowed = "failover";
    x.standing.permitted_by = "tag f on cluster";
    x.standing.next = "failover of web1";
    x.standing.waits_for.clear();
  }

  [[nodiscard]] io::http::forecast now() const {
    return forecast_for(x, s, {"node2"});
  }

  instance_row x = small_cluster().instances[0];
  status_row s = small_cluster().status;
};

} // namespace

TEST_CASE("a healthy instance is told with the nodes that are in service") {
  auto x = healthy_instance("web2");
  auto s = small_cluster().status;
  auto f = forecast_for(x, s, {});
  CHECK(f.what == outlook::healthy);
  CHECK(f.text == "healthy: its node node1 is in service");
  x.secondaries = {"node2"};
  CHECK(forecast_for(x, s, {}).text
        == "healthy: its nodes node1 and node2 are in service");
}

TEST_CASE("nodes that are not in service are not said to be") {
  auto x = healthy_instance("web2");
  x.secondaries = {"node2"};
  x.standing.why = "nothing is wrong that a repair would help";
  CHECK(forecast_for(x, small_cluster().status, {"node2"}).text
        == "healthy: nothing is wrong that a repair would help");
  x.standing.wrong = "primary node2 is drained";
  CHECK(forecast_for(x, small_cluster().status, {"node2"}).text
        == "healthy, although primary node2 is drained");
}

TEST_CASE("an instance that nobody looked at is not called healthy") {
  instance_row x;
  x.name = "new";
  CHECK(forecast_for(x, small_cluster().status, {}).what == outlook::unknown);
}

TEST_CASE("what is permitted and due is told as the next step") {
  scene at;
  CHECK(at.now().what == outlook::will_act);
  CHECK(at.now().text == "primary node2 is offline; next: failover of web1");
  at.x.standing.waits_for = "a proof that node2 is off";
  CHECK(at.now().what == outlook::waits);
  CHECK(contains(at.now().text, "waits for: a proof that node2 is off"));
}

TEST_CASE("nothing is done that no tag permits, and the reason names the tag") {
  scene at;
  at.x.standing.allowed = "none";
  at.x.standing.permitted_by = "no tag on instance, group or cluster";
  CHECK(at.now().what == outlook::not_permitted);
  CHECK(at.now().text
        == "nothing will be done because nothing permits failover: no tag on "
           "instance, group or cluster; primary node2 is offline");
  at.x.standing.allowed = "migrate";
  at.x.standing.permitted_by = "tag m on group g1";
  CHECK(at.now().text
        == "nothing will be done because it takes failover, and no more than "
           "migrate is permitted: tag m on group g1; primary node2 is offline");
}

TEST_CASE("a level includes the weaker ones, and a strange one none") {
  scene at;
  at.x.standing.allowed = "reinstall";
  CHECK(at.now().what == outlook::will_act);
  at.x.standing.needed = "reinstall";
  at.x.standing.allowed = "failover";
  CHECK(at.now().what == outlook::not_permitted);
  at.x.standing.allowed = "everything";
  CHECK(at.now().what == outlook::not_permitted);
}

TEST_CASE("a suspension is told with the tag and its end") {
  scene at;
  at.x.standing.allowed = "suspended";
  at.x.standing.permitted_by = "tag s on instance web1";
  at.x.standing.waits_for = "the end of the suspension at noon";
  CHECK(at.now().what == outlook::suspended);
  CHECK(at.now().text
        == "nothing will be done because it is suspended: tag s on instance "
           "web1; waits for: the end of the suspension at noon");
}

TEST_CASE("what no repair helps is told so") {
  scene at;
  at.x.standing.needed.clear();
  CHECK(at.now().what == outlook::no_repair);
  CHECK(contains(at.now().text, "no repair helps: primary node2 is offline"));
}

TEST_CASE("a failed repair waits for a person") {
  scene at;
  at.x.standing.phase = "failed";
  at.x.standing.why = "job 7 failed";
  at.x.standing.waits_for = "a person to remove tag r";
  CHECK(at.now().what == outlook::failed);
  CHECK(at.now().text
        == "nothing will be done because a repair of it failed: job 7 failed; "
           "waits for: a person to remove tag r");
}

TEST_CASE("a repair under way is told with its id and all of its jobs") {
  scene at;
  at.x.standing.phase = "pending";
  at.x.standing.incident = "0f3a";
  at.x.standing.jobs = {12, 14};
  at.x.standing.waits_for = "job 14: failover of web1";
  CHECK(at.now().what == outlook::under_way);
  CHECK(contains(at.now().text, "repair 0f3a is under way with job 12, 14"));
  CHECK(contains(at.now().text, "waits for: job 14: failover of web1"));
  CHECK_FALSE(contains(at.now().text, "no new step"));
  at.x.standing.allowed = "suspended";
  CHECK(contains(at.now().text, "no new step because it is suspended"));
}

TEST_CASE("off and observing say what would be done") {
  scene at;
  at.s.autorepair_mode = "off";
  CHECK(at.now().what == outlook::would_act);
  CHECK(contains(at.now().text, "auto-repair is off here"));
  CHECK(contains(at.now().text, "it would: failover of web1"));
  at.s.autorepair_mode = "observe";
  CHECK(at.now().what == outlook::would_act);
  CHECK(contains(at.now().text, "only observes"));
}

TEST_CASE("pause and storm hold what is destructive and nothing else") {
  scene at;
  at.s.guard.paused = true;
  at.s.guard.paused_by = "ann";
  CHECK(at.now().what == outlook::held);
  CHECK(contains(at.now().text, "because it is paused by ann"));
  at.x.standing.needed = "fix-storage";
  CHECK(at.now().what == outlook::will_act);
  at.s.guard = {};
  at.s.guard.storm = true;
  at.s.guard.storm_text = "3 of 5 nodes";
  CHECK(at.now().what == outlook::will_act);
  at.x.standing.needed = "failover";
  CHECK(at.now().what == outlook::held);
  CHECK(contains(at.now().text, "because of a storm: 3 of 5 nodes"));
}

TEST_CASE("without the right to act everything is held") {
  scene at;
  at.x.standing.needed = "fix-storage";
  at.s.right_to_act.until = at.s.now;
  CHECK(at.now().what == outlook::held);
  CHECK(contains(at.now().text, "no right to act: node1 is master"));
}
