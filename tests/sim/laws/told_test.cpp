// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The law that nothing stays down in silence: L8.

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_told_test {

using namespace orderly::sim;

namespace {

/// node5 has died, and nothing is done about it.
struct dead_five : hand_played {
  explicit dead_five(bool repairs = true)
    : hand_played("small-5n", with(repairs)) {
    fault("power node5 off");
    wait(minutes{5});
  }

  static settings with(bool repairs) {
    settings rules;
    rules.autorepair.enabled = repairs;
    return rules;
  }

  std::multiset<std::string> at_the_end() {
    std::multiset<std::string> result;
    for (const auto& y : judge.check_liveness(lab, t))
      result.insert(y.name);
    return result;
  }
};

using found = std::multiset<std::string>;

} // namespace

TEST_CASE("L8: of what is down for an hour somebody has heard") {
  dead_five x;
  x.wait(minutes{50});
  CHECK(x.at_the_end() == found{}); // there is still time
  x.wait(minutes{10});
  CHECK(x.at_the_end() == found{"L8", "L8"}); // web5 and db5; tmp1 is plain
}

TEST_CASE("L8: an alert about the node, the instance or all is enough, one "
          "about others is not") {
  for (const auto* object :
       {"node:node5", "overseer", "scheduler", "node:node4"}) {
    dead_five x;
    x.write(entry_kind::alert, object, "X.ANY");
    x.wait(hours{2});
    CHECK(x.at_the_end().count("L8")
          == (std::string{object} == "node:node4" ? 2U : 0U));
  }
  dead_five x;
  x.write(entry_kind::alert, "instance:db5", "A.ANY");
  x.wait(hours{2});
  CHECK(x.at_the_end() == found{"L8"}); // web5
}

TEST_CASE("L8: what was told before the node died says nothing of its death") {
  hand_played x{"small-5n", dead_five::with(true)};
  x.write(entry_kind::alert, "node:node5", "X.ANY");
  x.wait(hours{1});
  x.fault("power node5 off");
  x.wait(hours{2});
  auto broken = x.judge.check_liveness(x.lab, x.t);
  CHECK(broken.size() == 2);
}

TEST_CASE("L8: who repairs nothing tells of what is down all the same") {
  dead_five x{false};
  x.wait(hours{2});
  CHECK(x.at_the_end() == found{"L8", "L8"});
}

TEST_CASE("L8: what is suspended and what nobody permitted need no alert") {
  dead_five y;
  const std::string tag = "ganeti:watcher:autorepair:";
  y.fault("tag instance:web5 add " + tag + "suspend");
  y.fault("tag instance:db5 add " + tag + "fix-storage");
  y.wait(hours{2});
  CHECK(y.at_the_end() == found{});
}

} // namespace orderly::laws_told_test
