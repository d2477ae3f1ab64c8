// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A node that somebody else marked offline, and that may live, in an emergency
// power-off.

#include "actors/policy/errand/asked.hpp"
#include "actors/policy/errand/grounds.hpp"
#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_look_test {

namespace {

sighting found(health verdict) {
  sighting x;
  x.verdict = verdict;
  x.evidence = "1811";
  return x;
}

std::optional<probe_request> look(const rig& b) {
  return look_before(b.s, {0, 1, 0}, b.look());
}

std::string against(const rig& b, const sighting& seen) {
  return against_sight(b.s, {0, 1, 0}, seen, b.look());
}

/// n1 was marked offline by somebody, and something is wanted up there.
rig marked() {
  rig b;
  b.node("n1").offline = true;
  b.add_instance("i1", "n1", {"n3"});
  return b;
}

} // namespace

TEST_CASE("a node that somebody marked offline is looked at before it goes "
          "off") {
  auto b = marked();
  SECTION("before it was asked for") {
    b.begin(b.epo_of({"n1"}));
    CHECK(b.has_remark("goes off only if nothing of it answers then (i1)"));
    auto x = look(b);
    REQUIRE(x);
    CHECK(x->node == "n1");
    CHECK(x->last_look);
  }
  SECTION("after it was") {
    b.node("n1").offline = false;
    b.begin(b.epo_of({"n1"}));
    b.s.rows[0].kind = row_kind::node;
    b.s.rows[0].object = "n1";
    CHECK_FALSE(look(b));
    b.node("n1").offline = true;
    CHECK(look(b));
    b.s.rows[0].marked = true;
    CHECK(look(b));
    b.s.rows[0].own_until = b.node("n1").serial_no = 7;
    CHECK_FALSE(look(b)); // nobody has taken that back
  }
  SECTION("not if our mark is the newest thing that its record tells of") {
    b.begin(b.epo_of({"n1"}));
    auto& r = b.s.rows[0];
    r.kind = row_kind::node;
    r.object = "n1";
    r.own_until = 7;
    b.node("n1").serial_no = 7;
    CHECK_FALSE(look(b));
    b.node("n1").serial_no = 8; // somebody took it back, and set it again
    CHECK(look(b));
    b.node("n1").serial_no = 0; // who knows
    CHECK(look(b));
    b.node("n1").serial_no = 7;
    r.moved = b.now + minutes{1}; // what is known is from before the mark
    CHECK(look(b));
  }
  SECTION("but not if nothing is wanted up there") {
    b.cluster.instances[0].admin = admin_state::down;
    b.begin(b.epo_of({"n1"}));
    CHECK_FALSE(look(b));
    CHECK_FALSE(b.has_remark("goes off only"));
  }
  SECTION("nor if an earlier emergency power-off marked it") {
    b.holds["n1"].errand = "power-1";
    b.holds["n1"].own_until = b.node("n1").serial_no = 7;
    b.begin(b.epo_of({"n1"}));
    CHECK_FALSE(look(b));
    b.node("n1").serial_no = 11; // it was taken back, and marked again
    CHECK(look(b));
  }
}

TEST_CASE("a mark is its own only if its job alone changed the record") {
  auto b = marked();
  b.node("n1").offline = false;
  b.node("n1").serial_no = 7;
  auto candidate = GENERATE(true, false);
  b.node("n1").master_candidate = candidate;
  b.begin(b.epo_of({"n1"}));
  b.job("i1");
  b.take<send_job>("n1");
  const auto& rows = b.s.rows;
  auto mine = std::find_if(rows.begin(), rows.end(),
                           [](const row& r) { return r.object == "n1"; });
  REQUIRE(mine != rows.end());
  auto& node = b.node("n1");
  node.serial_no = 9;
  CHECK(is_ours(node, mine->own_until));
  node.serial_no = 10; // another's mark, and ours that changed nothing
  CHECK(is_ours(node, mine->own_until) == !candidate); // it was promoted
  node.serial_no = 13;
  CHECK_FALSE(is_ours(node, mine->own_until));
}

TEST_CASE("what is seen speaks for its going off only if it is silent for "
          "itself") {
  auto b = marked();
  b.begin(b.epo_of({"n1"}));
  CHECK(against(b, found(health::unhealthy)).empty());
  CHECK_FALSE(against(b, found(health::healthy)).empty());
  CHECK_FALSE(against(b, found(health::unknown)).empty());
  CHECK_FALSE(against(b, found(health::not_looked)).empty());
  auto x = found(health::unhealthy);
  SECTION("something of it answers") {
    x.lives = true;
  }
  SECTION("nor does anybody else answer") {
    x.alone = true;
  }
  SECTION("there is nobody else") {
    x.unwitnessed = true;
  }
  auto why = against(b, x);
  CHECK_THAT(why, Catch::Matchers::Contains("i1")
                    && Catch::Matchers::Contains(
                      "orderly node modify --powered=yes --offline=no n1")
                    && Catch::Matchers::Contains("orderly power off n1"));
}

TEST_CASE("a node goes off only if its daemon can have stopped what ran "
          "there") {
  rig b;
  b.node("n1").serial_no = 7;
  b.begin(b.epo_of({"n1"}));
  b.job("n1");
  CHECK_FALSE(look_before(b.s, {0, 1, 0}, b.look())); // nothing was there
  rig c;
  c.node("n1").serial_no = 7;
  c.add_instance("i1", "n1", {"n3"});
  c.begin(c.epo_of({"n1"}));
  c.job("i1");
  c.job("n1");
  const spot at{1, 1, 0};
  CHECK(look_before(c.s, at, c.look()));
  CHECK(against_sight(c.s, at, found(health::healthy), c.look()).empty());
  CHECK(against_sight(c.s, at, found(health::unhealthy), c.look()).empty());
  CHECK_FALSE(against_sight(c.s, at, found(health::unknown), c.look()).empty());
  auto refuses = found(health::unhealthy);
  refuses.lives = true;
  CHECK_THAT(against_sight(c.s, at, refuses, c.look()),
             Catch::Matchers::Contains("i1")
               && Catch::Matchers::Contains("orderly epo --on n1"));
  CHECK(c.holds.at("n1").own_until != 0);
  auto x = c.take<give_power>("n1");
  power_report report;
  report.held_back = true;
  c.feed(power_told{x.at, report});
  CHECK(c.how("n1") == row_state::failed);
  CHECK(c.holds.at("n1").own_until == 0); // who asks once more looks, too
}

TEST_CASE("a node whose power-off was turned away is left to automation") {
  auto b = marked();
  b.add_instance("i2", "n2");
  b.begin(b.epo_of({"n1", "n2"}));
  b.job("i2");
  CHECK(b.holds.count("n1") == 1);
  auto x = b.take<give_power>("n1");
  power_report report;
  report.node = "n1";
  report.held_back = true;
  report.evidence = "not commanded: it answers";
  b.feed(power_told{x.at, report});
  CHECK(b.how("n1") == row_state::failed);
  b.job("n2");
  b.switched("n2");
  b.job("n2");
  CHECK(b.s.ended != never);
  CHECK(b.holds.count("n1") == 0);
  CHECK(b.holds.count("n2") == 1);
}

} // namespace orderly::errand::errand_look_test
