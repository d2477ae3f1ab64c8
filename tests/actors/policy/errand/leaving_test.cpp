// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// An accepted order to switch a node off is a reservation at once.

#include "actors/policy/errand/leaving.hpp"
#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand_leaving_test {

using namespace orderly::errand;

namespace {

state of(errand_request asked) {
  state s;
  s.id = "power-3";
  s.asked = std::move(asked);
  s.asked.who = "root";
  row node;
  node.object = "node2";
  node.kind = row_kind::node;
  row instance;
  instance.object = "web1";
  instance.kind = row_kind::instance;
  s.rows = {node, instance};
  return s;
}

state power(power_verb verb) {
  errand_request asked;
  power_errand what;
  what.verb = verb;
  what.nodes = {"node2"};
  asked.what = what;
  return of(asked);
}

} // namespace

TEST_CASE("a node is about to go from the moment its power-off is accepted") {
  auto s = power(GENERATE(power_verb::off, power_verb::cycle));
  auto all = leaving(s);
  REQUIRE(all.size() == 1);
  CHECK(all.begin()->first == "node2");
  CHECK(all.begin()->second.find("power-3") != std::string::npos);
  CHECK(all.begin()->second.find("root") != std::string::npos);
}

TEST_CASE("an emergency power-off, an offline mark and a word that it is off "
          "take a node away, too") {
  errand_request asked;
  SECTION("emergency power-off") {
    asked.what = epo_errand{};
  }
  SECTION("offline mark") {
    modify_errand what;
    what.offline = true;
    asked.what = what;
  }
  SECTION("word") {
    asked.what = confirm_errand{"node2"};
  }
  CHECK(leaving(of(asked)).count("node2") == 1);
}

TEST_CASE("nothing goes by readings, power-ons, rehearsals, and orders that "
          "are through with the node") {
  auto s = power(power_verb::off);
  SECTION("status") {
    s = power(power_verb::status);
  }
  SECTION("on") {
    s = power(power_verb::on);
  }
  SECTION("back on after an emergency power-off") {
    errand_request asked;
    epo_errand what;
    what.on = true;
    asked.what = what;
    s = of(asked);
  }
  SECTION("it was only asked what it would be about") {
    s.asked.dry = true;
  }
  SECTION("the node's row ended") {
    s.rows.front().state = row_state::failed;
  }
  SECTION("the errand ended") {
    s.ended = instant{minutes{1}};
  }
  CHECK(leaving(s).empty());
}

TEST_CASE("a power-on or cycle that failed raises its node only if its command "
          "left, also after a restart") {
  auto commanded = GENERATE(true, false);
  rig b;
  b.begin(b.request(
    b.power(GENERATE(power_verb::on, power_verb::cycle), {"n1", "n2"})));
  b.report("n1", power_state::unknown, false, "not commanded: no right to act",
           commanded);
  CHECK(b.how("n1") == row_state::failed);
  CHECK(raised(b.s).count("n1") == (commanded ? 1 : 0));
  b.restart();
  CHECK(raised(b.s).count("n1") == (commanded ? 1 : 0));
}

TEST_CASE("a power-on raises its node where nobody knows whether its command "
          "left") {
  rig b;
  SECTION("the switch did not answer") {
    b.begin(b.request(b.power(power_verb::on, {"n1"})));
    b.feed(unanswered{b.take<give_power>("n1").at, "no answer"});
  }
  SECTION("a restart came between") {
    b.begin(b.request(b.power(power_verb::cycle, {"n1"})));
    b.given["n1"] = b.take<give_power>("n1").order.intent;
    b.restart();
  }
  CHECK(b.how("n1") == row_state::failed);
  CHECK(raised(b.s).count("n1") == 1);
}

TEST_CASE("whoever stops an order after a restart is told if it was given "
          "before, and the node counts as raised since then") {
  auto given = GENERATE(true, false);
  rig b;
  b.begin(b.request(b.power(power_verb::on, {"n1"})));
  auto when = b.now;
  if (given)
    b.wishes["n1"] = {power_state::on, "bob", "", when, {}};
  b.now += seconds{10};
  b.restart();
  SECTION("while the power is read") {
    b.feed(stopped{"eve"});
    b.report("n1", power_state::unknown, false);
  }
  SECTION("while it waits for the right to act") {
    b.lose_right();
    b.report("n1", power_state::unknown, false);
    CHECK(b.how("n1") == row_state::running);
    b.feed(stopped{"eve"});
  }
  CHECK(b.s.ended != never);
  const auto& r = b.of("n1");
  CHECK(r.state == (given ? row_state::failed : row_state::skipped));
  CHECK((r.text.find("not known") != std::string::npos) == given);
  CHECK(b.has_told("errand-interrupted", "stopped by eve") == given);
  auto all = raised(b.s);
  CHECK(all.count("n1") == (given ? 1 : 0));
  // Its helper may run on until then.
  const auto& limits = b.rules.power;
  if (given)
    CHECK(all["n1"] == when + limits.command_timeout + limits.kill_delay);
}

TEST_CASE("a power-on that is given again after a restart, and held back then, "
          "may have worked the first time") {
  rig b;
  b.begin(b.request(b.power(power_verb::on, {"n1"})));
  b.wishes["n1"] = {power_state::on, "bob", "", b.now, {}};
  b.restart();
  b.report("n1", power_state::unknown, false);
  b.report("n1", power_state::unknown, false, "no right to act", false);
  CHECK(b.how("n1") == row_state::failed);
  CHECK(raised(b.s).count("n1") == 1);
}

TEST_CASE("what the switch had told before a restart is the end of its order") {
  auto verb = GENERATE(power_verb::on, power_verb::off, power_verb::cycle);
  auto worked = GENERATE(true, false);
  auto is_stopped = GENERATE(true, false);
  rig b;
  b.begin(b.request(b.power(verb, {"n1"})));
  if (verb == power_verb::off)
    b.job("n1");
  auto x = b.take<give_power>("n1");
  power_report told;
  told.verb = verb;
  told.commanded = true;
  told.confirmed = worked;
  told.state = verb == power_verb::off ? power_state::off : power_state::on;
  told.evidence = "as the controller said";
  told.at = b.now;
  b.endings[x.order.intent] = told;
  if (is_stopped)
    b.feed(stopped{"eve"});
  b.now += minutes{4};
  b.restart();
  auto recorded = worked && verb == power_verb::off;
  if (recorded) { // if it is off still
    CHECK(b.report("n1", power_state::off).verb == power_verb::status);
    CHECK(b.job("n1").powered == false);
  } else {
    CHECK(b.has_told(to_string(verb), "as the controller said"));
  }
  CHECK(b.count<give_power>() == 0);
  CHECK(b.of("n1").power == told.state);
  CHECK(b.how("n1") == (worked ? row_state::done : row_state::failed));
  CHECK(b.s.ended != never);
  auto all = raised(b.s);
  CHECK(all.count("n1") == (verb == power_verb::off ? 0 : 1));
  if (verb != power_verb::off)
    CHECK(all["n1"] == told.at);
}

TEST_CASE("an order that the switch had refused before a restart was not "
          "given") {
  rig b;
  b.begin(b.request(b.power(power_verb::on, {"n1", "n2"})));
  auto x = b.take<give_power>("n1");
  power_report told;
  told.verb = power_verb::on;
  told.held_back = true;
  told.evidence = "not commanded: no right to act";
  b.endings[x.order.intent] = told;
  b.restart();
  CHECK(b.how("n1") == row_state::failed);
  CHECK(b.of("n1").text == told.evidence);
  CHECK(b.count<give_power>() == 1); // another row is another order
  CHECK(raised(b.s).empty());
}

} // namespace orderly::errand_leaving_test
