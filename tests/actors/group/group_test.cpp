// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A group between a job submitter and a cluster's actor made of glass.

#include "actors/group/group.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

namespace orderly::group_test {

namespace {

struct glass {
  std::vector<attention> calls; ///< for a new reading
  std::vector<group_standing> told;
};

using glass_ptr = std::shared_ptr<glass>;

picture_source::behavior_type source_of(glass_ptr x) {
  return {
    [x](const attention& what) { x->calls.push_back(what); },
    [](const room_question&) { return room_answer{}; },
  };
}

group_listener::behavior_type ear_of(glass_ptr x) {
  return {[x](const group_standing& what) { x->told.push_back(what); }};
}

settings acting() {
  settings s;
  s.autorepair.enabled = true;
  s.autorepair.mode = repair_mode::act;
  return s;
}

struct rig {
  explicit rig(const settings& with = acting(), group_name name = "rack1")
    : on(with) {
    boss = on.enter(group, on.ctx(),
                    group_peers{spawn_fake(on.system(), jobs),
                                on.enter(source_of, world),
                                on.enter(ear_of, world)},
                    std::move(name));
  }

  /// A suspension that was over a minute ago, and one that is not.
  [[nodiscard]] std::vector<std::string> tags() {
    auto at = to_unix(on.now());
    return {fmt::format("ganeti:watcher:autorepair:suspend:{}", at - 60),
            fmt::format("ganeti:watcher:autorepair:suspend:{}", at + 3600)};
  }

  void read(std::vector<std::string> found) {
    on.tell(boss, group_facts{std::move(found), on.now()});
  }

  void end(job_status status) {
    job_event e;
    e.intent = jobs->orders.back().intent;
    e.phase = job_phase::ended;
    e.status = status;
    on.tell(boss, e);
  }

  stage on;
  glass_ptr world = std::make_shared<glass>();
  std::shared_ptr<submitter_fake> jobs = std::make_shared<submitter_fake>();
  group_actor boss;
};

} // namespace

TEST_CASE("a suspension of a group that is over goes, one that holds stays") {
  rig b;
  auto tags = b.tags();
  b.read(tags);
  REQUIRE(b.jobs->orders.size() == 1);
  const auto& op = b.jobs->orders.back().ops.at(0);
  CHECK(op.kind == op_kind::tags_del);
  CHECK(op.tags_on == tag_kind::group);
  CHECK(op.tag_object == "rack1");
  CHECK(op.tags == std::vector<std::string>{tags[0]});
  CHECK(b.jobs->orders.back().owner == "group:rack1");
  CHECK(b.world->told.back().removing);
}

TEST_CASE("so does one of the cluster as a whole") {
  rig b(acting(), {});
  b.read(b.tags());
  REQUIRE(b.jobs->orders.size() == 1);
  CHECK(b.jobs->orders.back().ops.at(0).tags_on == tag_kind::cluster);
  CHECK(b.jobs->orders.back().owner == whole_cluster);
}

TEST_CASE("nothing is removed where auto-repair does not act") {
  auto s = acting();
  SECTION("off") {
    s.autorepair.enabled = false;
  }
  SECTION("observing") {
    s.autorepair.mode = repair_mode::observe;
  }
  rig b(s);
  b.read(b.tags());
  CHECK(b.jobs->orders.empty());
}

TEST_CASE("one removal is under way at a time, and the end asks for news") {
  rig b;
  b.read(b.tags());
  b.read(b.tags());
  CHECK(b.jobs->orders.size() == 1);
  b.end(job_status::success);
  CHECK_FALSE(b.world->told.back().removing);
  CHECK(b.world->calls.size() == 1);
  // An old picture may still show them.
  b.read(b.tags());
  CHECK(b.jobs->orders.size() == 1);
  b.on.run_for(seconds{3});
  b.read(b.tags());
  CHECK(b.jobs->orders.size() == 2);
}

TEST_CASE("removals that fail are tried with growing pauses") {
  rig b;
  auto pause = [&b] {
    b.end(job_status::error);
    auto before = b.jobs->orders.size();
    millis waited{0};
    while (b.jobs->orders.size() == before && waited < hours{2}) {
      b.on.run_for(seconds{1});
      waited += seconds{1};
      b.read(b.tags());
    }
    return waited;
  };
  b.read(b.tags());
  auto first = pause();
  auto second = pause();
  CHECK(second > first);
}

TEST_CASE("a removal does not leave once the tags are gone") {
  rig b;
  b.read(b.tags());
  auto intent = b.jobs->orders.back().intent;
  auto say = [&] { return b.on.ask<consent>(b.boss, ask_consent{intent}); };
  auto before = say();
  REQUIRE(before);
  CHECK(before->go);
  b.read({});
  auto after = say();
  REQUIRE(after);
  CHECK_FALSE(after->go);
  auto stranger = b.on.ask<consent>(b.boss, ask_consent{"expired/x/rack1"});
  CHECK_FALSE(stranger->go);
}

} // namespace orderly::group_test
