// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The right to act: held while the cluster itself says, not long ago, that
// this host is its master.

#include "actors/journal.hpp"
#include "actors/leader.hpp"
#include "tests/actors/fakes.hpp"
#include "tests/actors/stage.hpp"

#include <catch2/catch.hpp>

using namespace orderly;

namespace {

using leases = std::shared_ptr<std::vector<lease>>;

// The three who are told.

scheduler_actor::behavior_type hearing_scheduler(scheduler_actor::pointer,
                                                 const leases& heard) {
  return {
    [](const permit_request&) { return permit{}; },
    [](const permit_release&) {},
    [](const node_standing&) {},
    [](const pause_order&) { return pause_answer{}; },
    [heard](const lease& x) { heard->push_back(x); },
    [](const tick&) {},
  };
}

oob_actor::behavior_type hearing_oob(oob_actor::pointer, const leases& heard) {
  return {
    [](const power_order&) { return power_report{}; },
    [](const power_order&, const power_witness&) { return power_report{}; },
    [](const wish_client&) {},
    [](const power_withdraw&) {},
    [](const ask_wishes&) { return power_wishes{}; },
    [](const program_question&) { return program_answer{}; },
    [heard](const lease& x) { heard->push_back(x); },
    [](const tick&) {},
  };
}

job_submitter_actor::behavior_type hearing_jobs(job_submitter_actor::pointer,
                                                const leases& heard) {
  return {
    [](const job_order&, const job_client&) {},
    [](const job_lookup&) { return job_lookup_answer{}; },
    [](const job_withdraw&) {},
    [heard](const lease& x) { heard->push_back(x); },
    [](const tick&) {},
  };
}

struct bench {
  bench() {
    auto memory = on.enter(
      journal, on.ctx(), on.keep(spawn_fake(on.system(), disk)),
      on.keep(spawn_fake(on.system(), std::make_shared<view_fake>())));
    actor = on.enter(leader, on.ctx(), memory,
                     on.enter(hearing_scheduler, scheduler),
                     on.enter(hearing_oob, oob), on.enter(hearing_jobs, jobs));
    on.settle();
  }

  void poll(bool answered, bool is_master, const node_name& master) {
    on.tell(actor,
            poll_report{answered, is_master, master, {}, on.now(), on.now()});
  }

  void confirm() { poll(true, true, "node1"); }

  /// What everybody was told last; they must have been told the same.
  lease right() {
    REQUIRE_FALSE(scheduler->empty());
    CHECK(*scheduler == *oob);
    CHECK(*scheduler == *jobs);
    return scheduler->back();
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  leases scheduler = std::make_shared<std::vector<lease>>();
  leases oob = std::make_shared<std::vector<lease>>();
  leases jobs = std::make_shared<std::vector<lease>>();
  stage on;
  leader_actor actor;
};

} // namespace

TEST_CASE("nobody has a right before the cluster has confirmed it") {
  bench b;
  b.on.run_for(minutes{5});
  b.poll(false, true, "node1");
  CHECK(b.scheduler->empty());
}

TEST_CASE("a confirmed master has the right for one lease and no longer") {
  bench b;
  b.confirm();
  auto length = b.on.rules().leader.lease;
  CHECK(b.right().held);
  CHECK(b.right().until == b.on.now() + length);
  b.on.run_for(length - millis{1});
  CHECK(b.right().held);
  b.on.run_for(millis{1});
  CHECK_FALSE(b.right().held);
}

TEST_CASE("each confirmation renews the lease") {
  bench b;
  for (auto i = 0; i < 10; ++i) {
    b.confirm();
    b.on.run_for(seconds{20});
    CHECK(b.right().held);
  }
  CHECK(b.disk->count("lease") == 1);
  CHECK(b.disk->count("no-lease") == 0);
}

TEST_CASE("a cluster that does not answer neither gives a right nor takes it") {
  bench b;
  b.confirm();
  b.on.run_for(seconds{20});
  b.poll(false, false, "");
  CHECK(b.right().held);
  b.poll(false, true, "node1");
  b.on.run_for(seconds{10});
  CHECK_FALSE(b.right().held); // the unanswered reading renewed nothing
}

TEST_CASE("another master ends the right at once, by name") {
  bench b;
  b.confirm();
  b.on.run_for(seconds{1});
  b.poll(true, false, "node2");
  CHECK_FALSE(b.right().held);
  CHECK(b.right().text == "no right to act: the master is node2");
  b.on.run_for(minutes{2});
  CHECK_FALSE(b.right().held);
}

TEST_CASE("a right that was lost comes back with its own full length") {
  bench b;
  b.confirm();
  b.on.run_for(seconds{20});
  b.poll(true, false, "node2");
  b.confirm();
  b.on.run_for(seconds{29}); // the first lease would have ended long ago
  CHECK(b.right().held);
  b.on.run_for(seconds{1});
  CHECK_FALSE(b.right().held);
  CHECK(b.disk->count("lease") == 2);
  CHECK(b.disk->count("no-lease") == 2);
}
