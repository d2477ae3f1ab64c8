// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/ports/rig.hpp"

namespace orderly::ports_jobs_test {

using namespace orderly::sim;
using namespace orderly::sim::port_test;

TEST_CASE("a submitted job is watched to its end") {
  rig b;
  auto sent = b.ask<submit_answer>(b.outside.jobs, one_job("a"));
  REQUIRE(sent.outcome == submit_outcome::accepted);
  auto id = sent.ids.at(0);
  auto status = job_status::queued;
  for (int i = 0; i < 5 && !is_final(status); ++i) {
    auto x
      = b.ask<job_state>(b.outside.jobs, job_watch{id, status, seconds{20}});
    REQUIRE(x.answered);
    CHECK(x.status != status);
    status = x.status;
  }
  CHECK(status == job_status::success);
  CHECK(b.lab->cluster.instance("web1")->tags == std::vector<std::string>{"a"});
  auto found = b.ask<trail_answer>(b.outside.jobs, trail_query{"intent=a"});
  REQUIRE(found.jobs.size() == 1);
  CHECK(found.jobs[0].id == id);
}

TEST_CASE("a watch without news is answered when its time is over") {
  rig b;
  b.fault("jobs lose 1000");
  auto id = b.ask<submit_answer>(b.outside.jobs, one_job("a")).ids.at(0);
  b.wait(seconds{10});
  auto start = b.now();
  auto x = b.ask<job_state>(b.outside.jobs,
                            job_watch{id, job_status::running, seconds{20}});
  CHECK(x.answered);
  CHECK(x.status == job_status::running);
  CHECK(b.now() - start >= seconds{20});
}

TEST_CASE("a job that nobody knows is lost") {
  rig b;
  auto x = b.ask<job_state>(b.outside.jobs,
                            job_watch{77, job_status::queued, seconds{20}});
  CHECK(x.answered);
  CHECK(x.status == job_status::lost);
}

TEST_CASE("with luxi down a job is never in the queue and never answered") {
  rig b;
  b.fault("luxi down");
  auto unknown = 0;
  for (int i = 0; i < 12; ++i) {
    auto x = b.ask<submit_answer>(b.outside.jobs, one_job("a"));
    CHECK(x.outcome != submit_outcome::accepted);
    CHECK_FALSE(x.text.empty());
    unknown += x.outcome == submit_outcome::unknown ? 1 : 0;
  }
  CHECK(unknown > 0);
  CHECK(unknown < 12);
  CHECK(b.lab->cluster.jobs().empty());
  CHECK_FALSE(b.ask<trail_answer>(b.outside.jobs, trail_query{"x"}).answered);
  CHECK_FALSE(b.ask<job_state>(b.outside.jobs,
                               job_watch{1, job_status::queued, seconds{20}})
                .answered);
}

TEST_CASE("the status of any job is told, archived and unknown ones are lost") {
  rig b;
  REQUIRE(b.lab->cluster.place_job(5, job_status::error));
  REQUIRE(b.lab->cluster.place_job(6, job_status::running));
  REQUIRE(b.lab->cluster.place_job(7, job_status::success));
  REQUIRE(b.lab->cluster.archive(7));
  auto x = b.ask<job_lookup_answer>(b.outside.jobs, job_lookup{{7, 5, 99, 6}});
  REQUIRE(x.answered);
  REQUIRE(x.jobs.size() == 4);
  CHECK(x.jobs[0] == job_standing{7, job_status::lost, never});
  CHECK(x.jobs[1] == job_standing{5, job_status::error, b.lab->epoch_wall});
  CHECK(x.jobs[2] == job_standing{99, job_status::lost, never});
  CHECK(x.jobs[3] == job_standing{6, job_status::running, never});
  CHECK(b.ask<job_lookup_answer>(b.outside.jobs, job_lookup{}).jobs.empty());
  b.fault("luxi down");
  x = b.ask<job_lookup_answer>(b.outside.jobs, job_lookup{{5}});
  CHECK_FALSE(x.answered);
  CHECK_FALSE(x.text.empty());
}

TEST_CASE("nodes say what room they have, dead ones say nothing") {
  rig b;
  b.fault("power node3 off");
  b.fault("room node1 full");
  auto ask = [&] {
    return b.ask<room_answer>(
      b.outside.cluster,
      read_room{{"node3", "node2", "nope", "node1"}, seconds{20}});
  };
  auto x = ask();
  REQUIRE(x.answered);
  REQUIRE(x.nodes.size() == 2);
  CHECK(x.nodes[0] == node_room{"node1", 0, 0});
  // web2 and db2 run there; web2 and the mirror of web1 lie there.
  CHECK(x.nodes[1]
        == node_room{"node2", 62 * 1024, 2 * 1024 * 1024 - 20 * 1024});
  b.fault("luxi down");
  CHECK_FALSE(ask().answered);
}

TEST_CASE("a faulty mirror is told, and waited for where a node is dead") {
  rig b;
  auto ask = [&](millis limit) {
    return b.ask<mirrors_answer>(b.outside.cluster,
                                 read_mirrors{{"web1", "web2", "db1"}, limit});
  };
  auto x = ask(seconds{20});
  CHECK(x.answered);
  CHECK(x.faults.empty());
  b.fault("mirror web1 faulty");
  x = ask(seconds{20});
  REQUIRE(x.faults.size() == 1);
  CHECK(to_string(x.faults["web1"]) == "disk/0 is degraded on node2");
  b.fault("power node3 off");
  auto start = b.now();
  x = ask(seconds{20});
  CHECK_FALSE(x.answered);
  CHECK(b.now() - start >= seconds{20});
  start = b.now();
  x = ask(seconds{60});
  CHECK(b.now() - start >= seconds{36});
  CHECK(x.faults.count("web2") == 1);
}

TEST_CASE("prompt ports answer after a millisecond") {
  rig b;
  b.lab->prompt_ports = true;
  auto start = b.now();
  b.ask<cluster_answer>(b.outside.cluster, read_cluster{seconds{20}});
  b.ask<job_lookup_answer>(b.outside.jobs, job_lookup{{1}});
  b.ask<submit_answer>(b.outside.jobs, one_job("a"));
  CHECK(b.now() - start <= millis{3});
}

TEST_CASE("a waiting job can be canceled through the port") {
  rig b;
  b.ask<submit_answer>(b.outside.jobs, one_job("a"));
  auto id = b.ask<submit_answer>(b.outside.jobs, one_job("b")).ids.at(0);
  auto x = b.ask<job_state>(b.outside.jobs, job_cancel{id});
  CHECK(x.answered);
  CHECK(x.status == job_status::canceled);
}

TEST_CASE("what the journal acknowledged is read back, states replaced") {
  rig b;
  std::vector<std::string> seen;
  b.lab->journal.on_durable(
    [&](const journal_entry& e) { seen.push_back(e.why); });
  CHECK(b.write("first").durable);
  CHECK(b.write("second").durable);
  CHECK(seen == std::vector<std::string>{"first", "second"});
  auto x = b.ask<journal_contents>(b.outside.journal, journal_read{1});
  REQUIRE(x.readable);
  CHECK(x.last_seq == 2);
  REQUIRE(x.recent.size() == 1);
  CHECK(x.recent[0].why == "second");
  CHECK(x.states.at("node:node2").text("phase") == "second");
}

TEST_CASE("a failed write may be there or not, and is never acknowledged") {
  rig b;
  b.fault("journal fail");
  for (int i = 0; i < 40; ++i)
    CHECK_FALSE(b.write("x").durable);
  CHECK_FALSE(
    b.ask<journal_contents>(b.outside.journal, journal_read{}).readable);
  b.fault("journal ok");
  auto x = b.ask<journal_contents>(b.outside.journal, journal_read{});
  REQUIRE(x.readable);
  CHECK(x.recent.size() > 5);
  CHECK(x.recent.size() < 35);
  CHECK(b.lab->journal.failed() == 40);
}

TEST_CASE("a slow disk takes seconds, but it does write") {
  rig b;
  b.fault("journal slow");
  auto start = b.now();
  CHECK(b.write("x").durable);
  CHECK(b.now() - start >= seconds{2});
}

TEST_CASE("jobs go on while nobody asks") {
  rig b;
  auto id = b.ask<submit_answer>(b.outside.jobs, one_job("a")).ids.at(0);
  b.wait(millis{100});
  b.wait(seconds{5});
  CHECK(b.lab->cluster.job(id)->status == job_status::success);
}

} // namespace orderly::ports_jobs_test
