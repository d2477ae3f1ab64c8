// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/pass/dry_cluster.hpp"
#include "actors/pass/dry_jobs.hpp"
#include "actors/policy/checks/verdict.hpp"
#include "sim/ports/ports.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::pass_dry_jobs_test {

namespace {

opcode tag(op_kind kind, const std::string& name, const std::string& text) {
  opcode op;
  op.kind = kind;
  op.tag_object = name;
  op.tags = {text};
  return op;
}

opcode failover(const std::string& name) {
  opcode op;
  op.kind = op_kind::instance_failover;
  op.instance = name;
  return op;
}

job_submission one(std::vector<opcode> ops, const std::string& reason) {
  return {{{std::move(ops), reason, {}}}};
}

/// A simulated cluster behind the ports of a dry run.
struct rig {
  rig()
    : lab(std::make_shared<sim::lab_state>(*sim::plan_named("small-3n", 1))),
      real(sim::spawn_sim_ports(on.system(), lab, checks::judge())),
      book(on.keep(spawn_notebook(on.system()))),
      jobs(on.keep(spawn_dry_jobs(on.system(), real.jobs, book))),
      cluster(on.keep(spawn_dry_cluster(on.system(), real.cluster, book))) {
    lab->epoch_steady = {};
  }

  ~rig() { sim::stop_ports(real); }

  template <class Answer, class Handle, class Question>
  Answer ask(const Handle& whom, Question question) {
    auto answer = on.ask<Answer>(whom, std::move(question));
    on.run_for(minutes{1});
    REQUIRE(answer);
    return *answer;
  }

  stage on;
  sim::lab_pointer lab;
  ports real;
  notebook_actor book;
  job_port jobs;
  cluster_port cluster;
};

} // namespace

TEST_CASE("a dry run takes jobs, notes them and sends nothing") {
  rig b;
  auto answer = b.ask<submit_answer>(b.jobs, one({failover("i1")}, "intent=a"));
  CHECK(answer.outcome == submit_outcome::accepted);
  CHECK(answer.ids == std::vector<job_id>{dry_job_first});
  CHECK(b.lab->cluster.jobs().empty());
  auto written = b.ask<notes>(b.book, read_notes{});
  REQUIRE(written.jobs.size() == 1);
  CHECK(written.jobs[0].id == dry_job_first);
  CHECK(written.jobs[0].spec.ops == std::vector<opcode>{failover("i1")});
}

TEST_CASE("pretended jobs that only write tags succeed, others run for ever") {
  rig b;
  b.ask<submit_answer>(b.jobs, one({tag(op_kind::tags_set, "i1", "x")}, "a"));
  b.ask<submit_answer>(b.jobs, one({failover("i1")}, "b"));
  auto watch = [&](job_id id, job_status known) {
    return b.ask<job_state>(b.jobs, job_watch{id, known, seconds{20}});
  };
  CHECK(watch(dry_job_first, job_status::queued).status == job_status::success);
  CHECK(watch(dry_job_first + 1, job_status::queued).status
        == job_status::running);
  auto before = b.on.now();
  auto still = b.on.ask<job_state>(
    b.jobs, job_watch{dry_job_first + 1, job_status::running, seconds{20}});
  b.on.run_for(seconds{19});
  CHECK_FALSE(still);
  b.on.run_for(seconds{2});
  REQUIRE(still);
  CHECK(still->answered);
  CHECK(still->status == job_status::running);
  CHECK(b.on.now() - before >= seconds{20});
  CHECK(b.ask<job_state>(b.jobs, job_cancel{dry_job_first + 1}).status
        == job_status::running);
}

TEST_CASE("questions about jobs in a dry run reach the real queue as well") {
  rig b;
  b.lab->cluster.place_job(7, job_status::error);
  b.ask<submit_answer>(b.jobs, one({failover("i1")}, "intent=a"));
  auto found
    = b.ask<job_lookup_answer>(b.jobs, job_lookup{{dry_job_first, 7, 8}});
  REQUIRE(found.answered);
  REQUIRE(found.jobs.size() == 3);
  CHECK(found.jobs[0].status == job_status::running);
  CHECK(found.jobs[1].status == job_status::error);
  CHECK(found.jobs[2].status == job_status::lost);
  auto trail = b.ask<trail_answer>(b.jobs, trail_query{"intent=a"});
  REQUIRE(trail.answered);
  REQUIRE(trail.jobs.size() == 1);
  CHECK(trail.jobs[0].id == dry_job_first);
  CHECK(b.ask<trail_answer>(b.jobs, trail_query{"intent=b"}).jobs.empty());
}

TEST_CASE("a dry run cancels no job, its own or another's") {
  rig b;
  b.lab->cluster.place_job(7, job_status::queued);
  auto seen = b.ask<job_state>(b.jobs, job_cancel{7});
  CHECK_FALSE(seen.answered);
  CHECK(seen.text == "nothing is canceled in a dry run");
  CHECK(b.lab->cluster.job(7)->status == job_status::queued);
}

TEST_CASE("a dry run does not ask for mirrors: that would take jobs") {
  rig b;
  auto name = b.lab->cluster.record().instances.front().name;
  auto seen
    = b.ask<mirrors_answer>(b.cluster, read_mirrors{{name}, seconds{5}});
  CHECK_FALSE(seen.answered);
  CHECK(seen.text == "not asked in a dry run");
}

TEST_CASE("a dry run does not touch the cluster's watcher") {
  rig b;
  auto seen = b.ask<watcher_answer>(
    b.cluster, pause_watcher{b.on.now() + hours{1}, seconds{5}});
  CHECK_FALSE(seen.done);
  CHECK(seen.text == "the watcher is not paused in a dry run");
}

TEST_CASE("what goes to the real queue is noted with its real id") {
  rig b;
  auto noted = b.on.keep(spawn_noted_jobs(b.on.system(), b.real.jobs, b.book));
  b.lab->cluster.set_next_job(41);
  auto name = b.lab->cluster.record().instances.front().name;
  auto answer = b.ask<submit_answer>(
    noted, one({tag(op_kind::tags_set, name, "x")}, "a"));
  CHECK(answer.ids == std::vector<job_id>{41});
  CHECK(b.lab->cluster.job(41) != nullptr);
  auto written = b.ask<notes>(b.book, read_notes{});
  REQUIRE(written.jobs.size() == 1);
  CHECK(written.jobs[0].id == 41);
}

TEST_CASE("the picture of a dry run shows tags and jobs as if they were") {
  rig b;
  auto record = b.lab->cluster.record().instances.front();
  auto before = b.ask<cluster_answer>(b.cluster, read_cluster{seconds{5}});
  REQUIRE(before.picture);
  b.ask<submit_answer>(b.jobs, one({tag(op_kind::tags_set, record.name, "x"),
                                    tag(op_kind::tags_set, record.name, "y"),
                                    tag(op_kind::tags_del, record.name, "x")},
                                   "a"));
  b.ask<submit_answer>(b.jobs, one({failover(record.name)}, "intent=f"));
  auto after = b.ask<cluster_answer>(b.cluster, read_cluster{seconds{5}});
  REQUIRE(after.picture);
  const auto& seen = after.picture->instances.front();
  CHECK(std::count(seen.tags.begin(), seen.tags.end(), "y") == 1);
  CHECK(std::count(seen.tags.begin(), seen.tags.end(), "x") == 0);
  REQUIRE(after.picture->jobs.size() == before.picture->jobs.size() + 1);
  const auto& job = after.picture->jobs.back();
  CHECK(job.instances == std::vector<instance_name>{record.name});
  CHECK(job.reason == "intent=f");
  CHECK(b.lab->cluster.record().instances.front().tags == record.tags);
}

} // namespace orderly::pass_dry_jobs_test
