// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A move that gives up a copy, or goes onto one, knows how the mirror is.

#include "tests/actors/policy/balance/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::balance::balance_mirrors_test {

namespace {

constexpr const char* faulty = "its mirror is faulty: disk/0 is degraded on n2";

/// Up to the plan of the next round, without `a` in it.
make_plan next_plan(rig& b) {
  b.read();
  b.answer_view();
  b.answer_model();
  auto order = b.said<make_plan>();
  REQUIRE(order);
  return *order;
}

} // namespace

TEST_CASE("a move of a mirrored instance is sent once its mirror was asked and "
          "is well") {
  rig b;
  b.begin({rig::swap_a()});
  b.permit_only("a");
  CHECK(b.open("a")->stage == stage::looking);
  REQUIRE(b.said<ask_mirror>());
  CHECK(b.said<ask_mirror>()->instance == "a");
  CHECK_FALSE(b.said<submit>());
  b.feed(mirror_answered{"a", b.now, true, {}});
  CHECK(b.open("a")->stage == stage::sent);
  CHECK(b.said<submit>());
}

TEST_CASE("a new secondary alone needs a mirror that is well, too") {
  rig b;
  b.begin({rig::move_of("a", {"n1", "n2"}, {"n1", "n5"})});
  b.permit_only("a");
  CHECK(b.said<ask_mirror>());
  CHECK_FALSE(b.said<submit>());
}

TEST_CASE("what has no mirror is asked about none") {
  rig b;
  auto& x = b.instance("a");
  x.disks = disk_template::sharedfile;
  x.secondaries.clear();
  b.begin({rig::move_of("a", {"n1", ""}, {"n5", ""})});
  b.permit_only("a");
  CHECK_FALSE(b.said<ask_mirror>());
  CHECK(b.said<submit>());
}

TEST_CASE("a mirror that is not known to be well holds its move back, with the "
          "reason") {
  for (const auto* why :
       {faulty, "it is not known how its mirror is: there was no answer"}) {
    rig b;
    b.begin({rig::swap_a()});
    b.permit_only("a");
    b.doubt("a", why);
    CHECK(b.open("a") == nullptr);
    CHECK(b.said<give_back_permit>());
    CHECK_FALSE(b.said<submit>());
    CHECK(b.story[b.story.size() - 2].starts_with(
      std::string{"a is not moved: "} + why + "; it stays until "));
    CHECK(b.story.back() == "round 1 ended: 0 moved, 0 failed, 1 dropped");
    auto sheet = sheet_of(b.s, b.seen, b.limits, b.now);
    REQUIRE(sheet.fixed.count("a") == 1);
    CHECK(
      sheet.fixed.at("a").starts_with(std::string{why} + "; it waits until "));
  }
}

TEST_CASE("a move that is held back for its mirror stops no other") {
  rig b;
  b.begin({rig::swap_a(), rig::swap_c()});
  b.permit_only("a");
  b.permit_only("c");
  b.doubt("a", faulty);
  b.feed(mirror_answered{"c", b.now, true, {}});
  REQUIRE(b.open("c"));
  CHECK(b.open("c")->stage == stage::sent);
}

TEST_CASE("what a mirror held back is planned without at once") {
  rig b;
  b.begin({rig::swap_a()});
  b.permit_only("a");
  b.doubt("a", faulty);
  CHECK(b.s.due == b.now);
  CHECK(next_plan(b).fixed == std::set<instance_name>{"a"});
}

TEST_CASE("mirrors that hold back one move after the other end in a pause") {
  rig b;
  b.wait(minutes{5});
  for (std::uint32_t i = 0; i < rounds_in_a_row_max; ++i) {
    CHECK(b.s.due <= b.now);
    b.s.waits.clear();
    next_plan(b);
    b.answer_plan({rig::swap_a()});
    b.permit_only("a");
    b.doubt("a", faulty);
  }
  CHECK(b.s.due == b.now + b.limits.interval);
}

TEST_CASE("a mirror that was not well is asked again after longer and longer "
          "waits, until a move has succeeded") {
  rig b;
  std::vector<millis> waits;
  for (auto i = 0; i < 3; ++i) {
    b.begin({rig::swap_a()});
    b.permit_only("a");
    b.doubt("a", faulty);
    auto until = b.s.waits.at("a").until;
    waits.push_back(std::chrono::duration_cast<millis>(until - b.now));
    b.now = until;
  }
  CHECK(waits == std::vector<millis>{minutes{10}, minutes{20}, minutes{40}});
  b.begin({rig::swap_a()});
  b.grant("a");
  b.job(b.open("a")->intent, job_phase::ended);
  CHECK(b.s.waits.empty());
}

TEST_CASE("what a mirror said before its move began is no answer") {
  rig b;
  b.begin({rig::swap_a()});
  b.permit_only("a");
  b.feed(mirror_answered{"a", b.now - millis{1}, true, {}});
  CHECK(b.open("a")->stage == stage::looking);
  b.feed(mirror_answered{"a", b.now - millis{1}, false, faulty});
  CHECK(b.open("a")->stage == stage::looking);
}

TEST_CASE("a move may leave for so long after its mirror was asked") {
  rig b;
  b.begin({rig::swap_a()});
  CHECK(stale(*b.open("a"), b.now) == "its mirror was not asked how it is");
  b.grant("a");
  CHECK(stale(*b.open("a"), b.now + mirror_good).empty());
  CHECK(stale(*b.open("a"), b.now + mirror_good + millis{1})
        == "its mirror was asked too long ago");
}

TEST_CASE("a mirror that takes too long to say that it is well holds its move "
          "back, too") {
  rig b;
  b.begin({rig::swap_a()});
  b.permit_only("a");
  auto asked = b.now;
  b.now += mirror_good + millis{1};
  b.publish();
  b.feed(mirror_answered{"a", asked, true, {}});
  CHECK(b.open("a") == nullptr);
  CHECK_FALSE(b.said<submit>());
  CHECK(b.s.waits.at("a").why == "its mirror was asked too long ago");
}

TEST_CASE("what was asked in an earlier life lets nothing leave") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  auto after = from_fields(to_fields(b.s));
  REQUIRE(after.open.size() == 1);
  CHECK_FALSE(stale(after.open.front(), b.now).empty());
}

TEST_CASE("what changes while its mirror is asked drops the move") {
  rig b;
  b.begin({rig::swap_a()});
  b.permit_only("a");
  SECTION("heard with a reading") {
    b.node("n2").drained = true;
    b.read();
  }
  SECTION("heard with the answer") {
    b.node("n2").drained = true;
    b.publish();
    b.feed(mirror_answered{"a", b.now, true, {}});
  }
  CHECK(b.open("a") == nullptr);
  CHECK(b.said<give_back_permit>());
  CHECK(b.story[b.story.size() - 2] == "a is not moved: n2 is drained");
  b.feed(mirror_answered{"a", b.now, true, {}});
  CHECK_FALSE(b.said<submit>());
}

TEST_CASE("mirrored instances of which nobody can tell stay out of the plans") {
  rig b;
  SECTION("it is stopped") {
    b.instance("a").admin = admin_state::down;
    b.wait(minutes{5});
    CHECK(next_plan(b).fixed == std::set<instance_name>{"a"});
  }
  SECTION("mirrors are not asked at all") {
    b.seen.mirrors_asked = false;
    b.instance("c").disks = disk_template::sharedfile;
    b.wait(minutes{5});
    CHECK(next_plan(b).fixed == std::set<instance_name>{"a", "b"});
  }
}

TEST_CASE("a job that was sent is not called back when a person stops its "
          "instance") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  b.instance("a").admin = admin_state::down;
  b.read();
  CHECK_FALSE(b.said<withdraw>());
}

TEST_CASE("a job that was sent is called back when its stopped instance is "
          "started, after a restart too") {
  for (auto restarts : {false, true}) {
    rig b;
    b.instance("c").disks = disk_template::sharedfile;
    b.instance("c").admin = admin_state::down;
    b.instance("c").secondaries.clear();
    b.begin({rig::move_of("c", {"n3", {}}, {"n4", {}})});
    b.grant("c");
    REQUIRE(b.said<submit>());
    if (restarts)
      b.s = from_fields(to_fields(b.s));
    b.instance("c").admin = admin_state::up;
    b.read();
    CHECK(b.said<withdraw>());
  }
}

TEST_CASE("why a move was held back is known after a restart") {
  rig b;
  b.begin({rig::swap_a()});
  b.permit_only("a");
  b.doubt("a", faulty);
  CHECK(from_fields(to_fields(b.s)).waits == b.s.waits);
}

} // namespace orderly::balance::balance_mirrors_test
