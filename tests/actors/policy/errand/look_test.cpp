// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A node that was marked offline before an emergency power-off, and may live.

#include "tests/actors/policy/errand/bench.hpp"

namespace orderly::errand::errand_look_test {

namespace {

errand_request epo_of(bench& b, std::vector<node_name> names) {
  epo_errand x;
  x.names = std::move(names);
  return b.request(x);
}

} // namespace

TEST_CASE("a node that was offline goes off only if nothing of it answers") {
  bench b;
  b.node("n1").offline = true;
  b.add_instance("i1", "n1", {"n3"});
  b.add_instance("i2", "n2", {"n3"});
  b.begin(epo_of(b, {"n1", "n2"}));
  b.job("i2");
  CHECK(b.count<give_power>() == 0);
  auto stays = [&b] {
    CHECK(b.count<give_power>() == 0);
    CHECK(b.how("n1") == row_state::failed);
    CHECK(b.of("n1").text.find("i1") != std::string::npos);
    CHECK(
      b.of("n1").text.find("orderly node modify --powered=yes --offline=no n1")
      != std::string::npos);
  };
  SECTION("it is silent") {
    b.probed("n1", health::unhealthy);
    CHECK(b.has_remark("what may run of i1 is cut off"));
    CHECK(b.switched("n1").verb == power_verb::off);
    return;
  }
  SECTION("it is silent, and taken back meanwhile") {
    b.node("n1").offline = false;
    b.probed("n1", health::unhealthy);
    CHECK(b.count<give_power>() == 0);
    CHECK(b.how("n1") == row_state::failed);
    return;
  }
  SECTION("it answers") {
    b.probed("n1", health::healthy);
    stays();
  }
  SECTION("something of it answers") {
    b.probed("n1", health::unhealthy, true);
    stays();
  }
  SECTION("nobody else answers") {
    b.probed("n1", health::unhealthy, false, true);
    stays();
  }
  SECTION("nobody looked") {
    b.probed("n1", health::not_looked);
    stays();
  }
  SECTION("the look itself does not answer") {
    auto x = b.take<probe>("n1");
    b.feed(unanswered{x.at, "the check did not answer"});
    stays();
  }
  // It is left to automation again, and the other goes on.
  b.job("n2");
  b.switched("n2");
  b.job("n2");
  CHECK(b.s.ended != never);
  CHECK(b.holds.count("n1") == 0);
}

} // namespace orderly::errand::errand_look_test
