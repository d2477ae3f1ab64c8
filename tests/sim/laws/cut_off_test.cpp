// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an emergency power-off cuts off: S43.

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_cut_off_test {

using namespace orderly::sim;

namespace {

errand_request epo_of(const node_name& node) {
  epo_errand x;
  x.names = {node};
  return {x, {}, {}, false, {}};
}

} // namespace

TEST_CASE("S43: an emergency power-off cuts off nothing on a node that was "
          "offline and answers") {
  hand_played x;
  SECTION("it answers, and runs what is wanted up") {
    x.fault("node node5 offline");
    x.wait(minutes{2});
    x.take(epo_of("node5"));
    x.wait(minutes{1});
    x.command("node5", power_verb::off);
    CHECK(x.broken() == names{"S43"});
  }
  SECTION("it is silent") {
    x.fault("node node5 offline");
    x.fault("network node5 cut");
    x.wait(minutes{2});
    x.take(epo_of("node5"));
    x.wait(minutes{1});
    x.command("node5", power_verb::off);
    CHECK(x.broken() == names{});
  }
  SECTION("it was in service, and the errand shuts down what runs there") {
    x.take(epo_of("node5"));
    x.wait(minutes{1});
    x.command("node5", power_verb::off);
    CHECK(x.broken() == names{});
  }
}

} // namespace orderly::laws_cut_off_test
