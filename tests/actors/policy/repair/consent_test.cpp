// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last word before a job leaves, what is called back afterwards, and what
// nobody knows whether it ran.

#include "tests/actors/policy/repair/armed.hpp"

namespace orderly::repair_consent_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

std::string doubts(const rig& b) {
  return second_thoughts(b.machine, b.machine.intent, b.seen(), b.limits,
                         b.now);
}

/// Its permit is granted, and its decision is still to be written down.
rig decided() {
  auto b = broken();
  b.look();
  b.answer_permit(true);
  REQUIRE(b.under_way);
  REQUIRE(b.repair_under_way());
  return b;
}

} // namespace

TEST_CASE("a failover leaves while everything still speaks for it") {
  auto b = decided();
  CHECK(b.under_way->once);
  CHECK(b.under_way->seen_at == b.now);
  CHECK(doubts(b).empty());
}

TEST_CASE("a failover does not leave when its ground fell while its decision "
          "was written down") {
  auto b = decided();
  b.limits.picture_max_age = minutes{1};
  SECTION("the proof fell") {
    b.nodes["n1"].proved_down.reset();
    CHECK(says(doubts(b), "waits for proof that n1 is down"));
  }
  SECTION("the proof grew old") {
    b.now += hours{25};
    CHECK(says(doubts(b), "is too old"));
  }
  SECTION("a person took the node back") {
    b.nodes["n1"].offline = false;
    CHECK(says(doubts(b), "nothing is wrong with it any more"));
  }
  SECTION("a person suspended the instance") {
    b.record.tags.push_back(tagged("suspend"));
    CHECK_FALSE(doubts(b).empty());
  }
  SECTION("a person works on the instance by a job") {
    b.foreign_job = 7;
    CHECK(says(doubts(b), "waits for job 7"));
  }
  SECTION("its old home is ordered on") {
    b.nodes["n1"].rising = "power-4, the power-on by root";
    CHECK(says(doubts(b), "power-4"));
  }
  SECTION("its mirror's node is ordered off") {
    b.nodes["n2"].leaving = "power-3, the power-off by root";
    CHECK(says(doubts(b), "n2 is about to go: power-3"));
  }
  SECTION("the cluster was not read for long") {
    auto old = b.seen();
    b.now += minutes{2};
    CHECK(
      says(second_thoughts(b.machine, b.machine.intent, old, b.limits, b.now),
           "the picture of the cluster is too old"));
  }
  SECTION("the machine goes on with another intent") {
    CHECK(says(second_thoughts(b.machine, "another", b.seen(), b.limits, b.now),
               "goes on without it"));
  }
}

TEST_CASE("success is not written once the home does not answer") {
  auto b = decided();
  auto ends = [&] {
    return b.under_way && !b.under_way->ops.front().tags.empty()
           && says(b.under_way->ops.front().tags.front(), ":success:");
  };
  for (auto turns = 0; turns < 40 && !ends(); ++turns)
    if (b.asked)
      b.answer_permit(true);
    else if (b.under_way)
      b.do_job();
    else
      b.look();
  REQUIRE(ends());
  CHECK(doubts(b).empty());
  b.nodes[b.record.primary].troubled = true;
  CHECK(says(doubts(b), "does not answer just now"));
}

TEST_CASE("what did not leave was no try, and is judged anew") {
  auto b = decided();
  b.nodes["n1"].proved_down.reset();
  b.under_way->intent = b.machine.intent;
  auto e = job_event{};
  e.intent = b.machine.intent;
  e.phase = job_phase::refused;
  e.untried = true;
  e.text = "not sent: " + doubts(b);
  b.under_way.reset();
  b.apply(step(b.machine, job_ended{e, b.seen()}, b.limits, b.now));
  CHECK(b.machine.stage == stage::idle);
  CHECK(b.machine.tries == 0);
  CHECK(b.given_back == 1);
  b.now += hours{1};
  b.look();
  CHECK_FALSE(b.asked);
  b.prove("n1");
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("nothing is begun on an old picture") {
  auto b = broken();
  b.limits.picture_max_age = minutes{1};
  auto old = b.seen();
  b.now += minutes{2};
  b.apply(step(b.machine, looked{old, "u1"}, b.limits, b.now));
  CHECK_FALSE(b.asked);
  CHECK(wants_picture(b.machine, old));
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("a failover that waits in the queue is called back when its ground "
          "falls") {
  auto b = failing_over();
  b.look();
  REQUIRE(b.called_back.empty());
  SECTION("the proof fell: somebody ordered the node on") {
    b.nodes["n1"].proved_down.reset();
  }
  SECTION("the proof is not renewed") {
    b.now += hours{25};
  }
  SECTION("the node came back") {
    b.nodes["n1"].offline = false;
  }
  b.look();
  b.look();
  CHECK(b.called_back == std::vector<intent_id>{b.machine.intent});
  CHECK(says(b.story.back(), "calls back job"));
}

TEST_CASE("a failover that has moved the instance already is let run") {
  auto b = failing_over();
  b.record.primary = "n2";
  b.record.secondaries = {"n1"};
  b.nodes["n1"].proved_down.reset();
  b.look();
  CHECK(b.called_back.empty());
}

TEST_CASE("a restart calls nothing back before proofs could be read again") {
  auto b = failing_over();
  b.nodes["n1"].proved_down.reset();
  b.restart();
  b.look();
  CHECK(b.called_back.empty());
  b.now += minutes{2};
  b.look();
  CHECK(b.called_back.size() == 1);
}

TEST_CASE("nothing goes where a person's order will take the node away") {
  auto b = broken();
  b.nodes["n2"].leaving = "power-3, the power-off by root";
  b.run();
  CHECK(b.intents.empty());
  CHECK(says(b.shown().waits_for, "its mirror's node n2 is about to go"));
  b.nodes["n2"].leaving.clear();
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("nothing relies on a node being off that a person's order will "
          "switch on") {
  auto b = broken();
  b.nodes["n1"].rising = "power-4, the power-on by root";
  b.run();
  CHECK(b.intents.empty());
  CHECK(says(b.shown().waits_for, "power-4"));
  b.nodes["n1"].rising.clear();
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("a reinstall waits for proof about every node that holds a copy") {
  rig b;
  b.kill("n1");
  b.kill("n2");
  b.cluster_tags = {tagged("reinstall")};
  auto lives = GENERATE(std::string{"n1"}, std::string{"n2"});
  b.nodes[lives].proved_down.reset();
  b.run();
  CHECK(b.intents.empty());
  CHECK(
    says(b.shown().waits_for, "waits for proof that " + lives + " is down"));
  b.prove(lives);
  b.run();
  CHECK(b.record.primary != "n1");
  CHECK(b.repairs.size() == 4);
}

TEST_CASE("what cannot be found is not sent again before instance and tags "
          "agree that it never ran") {
  auto b = decided();
  lose(b);
  CHECK(b.given_back == 0); // it may begin yet: its places are kept
  CHECK(b.machine.unsure);
  SECTION("they agree: it is decided anew") {
    auto before = b.intents.size();
    b.run();
    CHECK(b.record.primary == "n2");
    CHECK(b.intents.size() > before);
    CHECK(b.told.empty());
  }
  SECTION("its tag is there: a person is asked") {
    b.record.tags.push_back(
      tagged("pending:failover:" + b.machine.repair + ":1700000000:"));
    b.run();
    CHECK(b.record.primary == "n1");
    CHECK(b.told == texts{"A.REPAIR_FAILED"});
    CHECK(b.machine.phase == phase::failed);
  }
  SECTION("the instance has moved: a person is asked") {
    std::swap(b.record.primary, b.record.secondaries.front());
    b.run();
    CHECK(b.repairs.size() == 1);
    CHECK(b.told == texts{"A.REPAIR_FAILED"});
  }
  CHECK(b.given_back > 0);
}

} // namespace orderly::repair_consent_test
