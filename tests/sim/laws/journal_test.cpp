// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was told and is not written, and what is older than the clocks say.

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_journal_test {

using namespace orderly::sim;

TEST_CASE("S36: a pause that was confirmed was written since it was asked "
          "for") {
  hand_played x;
  auto asked = x.t;
  auto expected = names{"S36"};
  SECTION("it was") {
    x.write(entry_kind::decision, "scheduler", "pause");
    expected = {};
  }
  SECTION("nothing was") {
    // nothing
  }
  SECTION("an earlier one was") {
    x.write(entry_kind::decision, "scheduler", "pause");
    x.wait(minutes{1});
    asked = x.t;
  }
  SECTION("the end of one was") {
    x.write(entry_kind::decision, "scheduler", "resume");
  }
  x.lab.note(pause_word{true, asked});
  CHECK(x.broken() == expected);
}

TEST_CASE("S36: an errand that was taken was written since it was asked for") {
  hand_played x;
  power_errand what;
  what.nodes = {"node2"};
  what.verb = power_verb::on;
  auto expected = names{"S36"};
  SECTION("nothing of it was") {
    // nothing
  }
  SECTION("another one was") {
    x.write(entry_kind::intent, "errand:power-6", "errand");
  }
  SECTION("one of this name was, before") {
    x.write(entry_kind::intent, "errand:power-7", "errand");
    x.wait(minutes{1});
  }
  SECTION("it only asks") {
    what.verb = power_verb::status;
    expected = {};
  }
  person_order order;
  order.number = ++x.lab.errands_asked;
  order.at = x.t;
  order.wanted.what = what;
  x.lab.note(order);
  order.step = order_step::taken;
  order.id = "power-7";
  x.lab.note(order);
  CHECK(x.broken() == expected);
}

TEST_CASE("S36: the stop of an errand that only asks is kept by nobody") {
  hand_played x;
  person_order order;
  order.number = ++x.lab.errands_asked;
  order.at = x.t;
  auto asks = GENERATE(true, false);
  if (asks)
    order.wanted.what = verify_errand{};
  else
    order.wanted.what = confirm_errand{"node2", false};
  x.lab.note(order);
  x.write(entry_kind::intent, "errand:power-7", "errand");
  order.step = order_step::taken;
  order.id = "power-7";
  x.lab.note(order);
  x.lab.note(stop_word{"power-7", x.t});
  CHECK(x.broken() == (asks ? names{} : names{"S36"}));
}

TEST_CASE("S2, S8: after a jump of the clocks power and master are asked "
          "anew") {
  hand_played x;
  x.wait(minutes{1});
  x.fault("power node5 off");
  x.wait(seconds{40});
  x.fence("node5");
  x.lab.cluster.set_offline("node5", true);
  x.lab.cluster.note_read(x.t);
  x.look();
  auto sent = x.t + seconds{20};
  auto expected = names{"S2", "S8"};
  x.fenced.clear(); // nobody reads it meanwhile
  x.t += seconds{10};
  x.lab.clocks_jumped = x.t;
  x.wait(seconds{10});
  SECTION("nobody asked") {
    // nothing
  }
  SECTION("the power was read") {
    x.power("node5", power_verb::status);
    expected = {"S8"};
  }
  SECTION("the cluster was read") {
    x.lab.cluster.note_read(x.t);
    expected = {"S2"};
  }
  SECTION("both were") {
    x.power("node5", power_verb::status);
    x.lab.cluster.note_read(x.t);
    expected = {};
  }
  SECTION("it had left us before") {
    sent = x.lab.clocks_jumped - seconds{1};
    expected = {};
  }
  x.lab.sent["job-" + std::to_string(x.count + 1)] = sent;
  x.order(x.failover("web5"));
  CHECK(x.broken() == expected);
}

TEST_CASE("S8: nobody is fenced after a jump of the clocks before the cluster "
          "was asked") {
  hand_played x;
  x.wait(minutes{1});
  x.lose_sight("node5");
  x.lab.clocks_jumped = x.t;
  x.wait(seconds{1});
  auto expected = names{"S8"};
  SECTION("it was not") {
    // nothing
  }
  SECTION("it was") {
    x.lab.cluster.note_read(x.t);
    expected = {};
  }
  x.phases("node5", {"suspect", "fencing"});
  x.command("node5", power_verb::off);
  CHECK(x.broken() == expected);
}

} // namespace orderly::laws_journal_test
