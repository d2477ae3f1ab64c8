// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/errand/epo_rig.hpp"

namespace orderly::errand::errand_epo_on_test {

TEST_CASE("epo --on of a group leaves off what no epo switched off") {
  rig b;
  b.node("n1").offline = b.node("n2").offline = true;
  b.node("n1").powered = b.node("n2").powered = false;
  auto x = epo({"g1"}, true);
  x.groups = true;
  SECTION("beside one that an epo did") {
    b.holds["n2"] = {};
    b.begin(b.request(x));
    CHECK(b.how("n1") == row_state::skipped);
    CHECK(b.has_remark("'orderly power on n1'"));
    CHECK(b.switched("n2").verb == power_verb::on);
  }
  SECTION("but it is switched on by its name") {
    b.holds["n2"] = {};
    b.begin(b.request(epo({"n1"}, true)));
    CHECK(b.switched("n1").verb == power_verb::on);
  }
  SECTION("or where nobody knows any more what an epo did") {
    b.begin(b.request(x));
    CHECK(b.how("n1") != row_state::skipped);
  }
}

TEST_CASE("epo --on of a group leaves off what an order switched off since") {
  auto b = after_epo();
  auto came_back = GENERATE(true, false);
  b.node("n2").powered = came_back;
  b.begin(b.request(power_errand{power_verb::off, {"n2"}}));
  CHECK(b.holds.at("n2").was_off == came_back);
  b.node("n2").powered = false;
  auto x = epo({"g1"}, true);
  x.groups = true;
  b.begin(b.request(x));
  CHECK((b.how("n2") == row_state::skipped) == came_back);
  CHECK(b.has_remark("'orderly power on n2'") == came_back);
}

TEST_CASE("epo --on switches on, waits, takes back, and starts instances") {
  auto b = after_epo();
  CHECK_FALSE(b.node("n1").powered);
  b.begin(b.request(epo({"n1", "n2"}, true)));
  CHECK(b.switched("n1").verb == power_verb::on);
  CHECK(b.job("n1").powered == true);
  b.wait(seconds{2});
  b.switched("n2");
  b.job("n2");
  b.wait(seconds{6});
  b.probed("n1", health::healthy);
  auto back = b.job("n1");
  CHECK(back.offline == false);
  CHECK(back.auto_promote);
  CHECK(b.count<send_job>() == 0); // i1 needs n2 as well
  CHECK(b.holds.size() == 2);
  b.probed("n2", health::unhealthy);
  b.wait(probe_interval);
  b.probed("n2", health::healthy);
  b.job("n2");
  CHECK(b.job("i1").kind == op_kind::instance_startup);
  CHECK(b.holds.size() == 2); // until its instances were seen to
  b.job("i2");
  CHECK(b.holds.empty());
  CHECK(b.s.ended != never);
  CHECK_FALSE(has_failed(b.s));
}

TEST_CASE("the way back says that a node was drained before its epo") {
  auto later = GENERATE(true, false);
  rig b;
  b.add_instance("i1", "n1");
  b.node("n1").drained = !later;
  b.begin(b.request(epo({"n1"})));
  b.node("n1").drained = true;
  b.job("i1");
  b.job("n1");
  b.node("n1").drained = false; // the offline mark has taken its place
  b.switched("n1");
  b.job("n1");
  b.restart();
  CHECK(b.holds.at("n1").was_drained);
  b.begin(b.request(epo({"n1"}))); // once more changes nothing of that
  CHECK(b.holds.at("n1").was_drained);
  b.begin(b.request(epo({"n1"}, true)));
  b.switched("n1");
  b.job("n1");
  b.wait(seconds{6});
  b.probed("n1", health::healthy);
  auto back = b.job("n1");
  CHECK(back.offline == false);
  CHECK(b.of("n1").text.find("--drained=yes n1") != std::string::npos);
}

TEST_CASE("a node that does not come back costs its own instances only") {
  auto b = after_epo();
  b.cluster.instances[0].secondaries.clear();
  b.begin(b.request(epo({"n1", "n2"}, true)));
  b.switched("n1");
  b.job("n1");
  b.wait(seconds{2});
  b.switched("n2");
  b.job("n2");
  b.wait(seconds{6});
  b.probed("n1", health::healthy);
  b.job("n1");
  b.job("i1");
  int asked = 0;
  while (b.how("n2") == row_state::running && asked < 100) {
    if (b.count<probe>() > 0) {
      b.probed("n2", health::unknown);
      ++asked;
    }
    b.wait(seconds{10});
  }
  CHECK(asked > 25);
  CHECK(b.how("n2") == row_state::failed);
  CHECK(b.how("i2") == row_state::skipped);
  CHECK(b.of("i2").text == "its node n2 is not back");
  CHECK(b.has_remark(
    "Please investigate and start stopped instances manually: i2"));
  CHECK(b.holds.size() == 1);
  CHECK(b.holds.count("n2") == 1);
  CHECK(has_failed(b.s));
}

TEST_CASE("a person's word gives up a node that did not come back") {
  auto b = after_epo();
  auto tried = GENERATE(true, false);
  auto commanded = GENERATE(true, false);
  auto again = GENERATE(true, false);
  if (tried) {
    b.begin(b.request(epo({"n1", "n2"}, true)));
    b.switched("n1");
    b.job("n1");
    b.wait(seconds{2});
    b.report("n2", power_state::unknown, false, "no answer", commanded);
    b.wait(seconds{6});
    b.probed("n1", health::healthy);
    b.job("n1");
    REQUIRE(b.s.ended != never);
    REQUIRE(b.holds.count("n2") == 1);
    CHECK(b.has_remark("orderly confirm-off") == commanded);
  }
  auto by_power = GENERATE(true, false);
  if (again && by_power) // as it hangs: it has not come back by that
    b.begin(b.request(power_errand{power_verb::off, {"n2"}}));
  else if (again)
    b.begin(b.request(epo({"n2"})));
  b.begin(b.request(confirm_errand{"n2", false}));
  auto x = b.take<give_word>("n2");
  auto ends = tried && commanded && (!again || by_power);
  CHECK(x.word.ends_hold == ends);
  b.feed(word_told{x.at, false, "it answers"});
  CHECK(b.holds.count("n2") == 1);
  b.begin(b.request(confirm_errand{"n2", false}));
  b.feed(word_told{b.take<give_word>("n2").at, true, "it counts"});
  CHECK(b.holds.count("n2") == (ends ? 0 : 1));
}

TEST_CASE("what was out of service before an epo stays so after it") {
  rig b;
  b.node("n1").offline = true;
  b.node("n2").offline = true;
  b.node("n2").powered = false;
  auto x = epo({"g1"});
  x.names = {"n1", "n2"};
  b.begin(b.request(x));
  b.switched("n1");
  b.job("n1");
  CHECK(b.s.ended != never);
  b.begin(b.request(whole(true)));
  CHECK(b.how("n2") == row_state::skipped); // it was off
  b.switched("n1");
  b.job("n1");
  b.wait(seconds{6});
  b.probed("n1", health::healthy);
  CHECK(b.how("n1") == row_state::done);
  CHECK(b.node("n1").offline);
  CHECK(b.s.ended != never);
  CHECK(b.holds.empty());
}

TEST_CASE("epo --on of nodes that were never off starts their instances") {
  rig b;
  b.add_instance("i1", "n1", {"n2"});
  b.begin(b.request(epo({"n1"})));
  b.job("i1", false, "no");
  b.begin(b.request(epo({"n1"}, true)));
  CHECK(b.how("n1") == row_state::skipped);
  CHECK(b.job("i1").kind == op_kind::instance_startup);
  CHECK(b.holds.empty());
  CHECK_FALSE(has_failed(b.s));
}

TEST_CASE("an instance with another node out of service is not started") {
  rig b;
  b.add_instance("i1", "n1", {"n3"});
  b.node("n3").offline = true;
  b.begin(b.request(epo({"n1"}, true)));
  CHECK(b.how("i1") == row_state::skipped);
  CHECK(b.has_remark("start stopped instances manually: i1"));
  CHECK(has_failed(b.s));
}

TEST_CASE("a wait for a node goes on after a restart, to the same end") {
  auto b = after_epo();
  b.begin(b.request(epo({"n1"}, true)));
  b.switched("n1");
  b.job("n1");
  auto end = b.of("n1").until;
  CHECK(end == b.now + back_within);
  b.now += minutes{20};
  b.restart();
  b.wait(millis{0});
  b.probed("n1", health::unhealthy);
  CHECK(b.of("n1").until == end);
  CHECK(b.how("n1") == row_state::failed);
}

} // namespace orderly::errand::errand_epo_on_test
