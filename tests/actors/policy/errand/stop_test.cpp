// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A person stops an errand: what has not begun is taken back, what was done is
// told with its undo.

#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_stop_test {

namespace {

using Catch::Matchers::Contains;

errand_request off(std::vector<std::string> names) {
  return rig::request(rig::power(power_verb::off, std::move(names)));
}

job_told canceled(const spot& at) {
  job_told x;
  x.at = at;
  x.canceled = true;
  x.text = "job 7 canceled";
  return x;
}

} // namespace

TEST_CASE("a stop takes an offline mark back that is still queued") {
  rig b;
  b.begin(off({"n1"}));
  auto x = b.take<send_job>("n1");
  b.feed(job_queued{x.at});
  b.feed(stopped{"root"});
  CHECK(b.called_back == std::vector<intent_id>{x.order.intent});
  CHECK(b.s.ended == never);
  b.feed(canceled(x.at));
  CHECK(b.how("n1") == row_state::skipped);
  CHECK(b.of("n1").text == "stopped by root before mark-offline");
  CHECK(b.s.ended != never);
  CHECK_FALSE(b.node("n1").offline);
  CHECK_FALSE(b.has_remark("--offline=no"));
  CHECK(b.count<give_power>() == 0);
}

TEST_CASE("an offline mark that began before the stop is told with its undo") {
  rig b;
  b.begin(off({"n1", "n2"}));
  b.feed(stopped{"root"});
  b.job("n1");
  auto x = b.take<send_job>("n2");
  b.feed(canceled(x.at));
  CHECK(b.of("n1").text == "stopped by root before power-off");
  CHECK(b.s.ended != never);
  CHECK(b.has_remark("n1 was marked offline: orderly node modify --offline=no "
                     "n1"));
  CHECK_FALSE(b.has_remark("n2 was"));
}

TEST_CASE("a mark that was there before the errand is not undone") {
  rig b;
  b.node("n1").offline = true;
  b.begin(off({"n1"}));
  b.feed(stopped{"root"});
  auto x = b.take<give_power>("n1");
  power_report withdrawn;
  withdrawn.withdrawn = true;
  withdrawn.tried = false;
  b.feed(power_told{x.at, withdrawn});
  CHECK(b.of("n1").text == "stopped by root before power-off");
  CHECK_FALSE(b.has_remark("n1 was"));
}

TEST_CASE("a stop takes a power-off back whose turn has not come") {
  rig b;
  b.begin(off({"n1"}));
  b.job("n1");
  auto x = b.take<give_power>("n1");
  b.feed(stopped{"root"});
  REQUIRE(b.taken_back.size() == 1);
  CHECK(b.taken_back[0].node == "n1");
  CHECK(b.taken_back[0].intent == x.order.intent);
  power_report withdrawn;
  withdrawn.withdrawn = true;
  withdrawn.tried = false;
  b.feed(power_told{x.at, withdrawn});
  CHECK(b.how("n1") == row_state::skipped);
  CHECK(b.has_remark("n1 was marked offline: "));
  CHECK_FALSE(b.has_remark("switched off"));
}

TEST_CASE("the switch has the errand's word for a command until it is "
          "stopped") {
  rig b;
  b.begin(off({"n1"}));
  auto mark = b.take<send_job>("n1").at;
  CHECK(against_command(b.s, mark, b.look()) != "");
  b.feed(job_told{mark, true, false, {}});
  auto x = b.take<give_power>("n1");
  CHECK(against_command(b.s, x.at, b.look()).empty());
  for (auto other : {spot{9, 1, 0}, spot{0, 2, 0}, spot{0, 1, 1}})
    CHECK(against_command(b.s, other, b.look()) != "");
  b.feed(stopped{"root"});
  CHECK(against_command(b.s, x.at, b.look()) == "stopped by root");
  power_report held;
  held.held_back = true;
  b.feed(power_told{x.at, held});
  CHECK(b.of("n1").text == "stopped by root before power-off");
  CHECK(against_command(b.s, x.at, b.look()) != "");
}

TEST_CASE("no node goes off that was taken back into service meanwhile") {
  rig b;
  b.begin(off({"n1"}));
  b.job("n1");
  auto x = b.take<give_power>("n1");
  b.node("n1").offline = false;
  CHECK_THAT(against_command(b.s, x.at, b.look()),
             Contains("back into service") && Contains("orderly power off n1"));
}

TEST_CASE("who asked for a power-off without the mark does not need it") {
  rig b;
  auto bare = rig::power(power_verb::off, {"n1"});
  bare.mark_offline = false;
  b.begin(rig::request(bare));
  auto x = b.take<give_power>("n1");
  CHECK(against_command(b.s, x.at, b.look()).empty());
}

TEST_CASE("a power-off that runs is recorded and told with its undo") {
  rig b;
  b.begin(off({"n1"}));
  b.job("n1");
  b.feed(stopped{"root"});
  b.switched("n1");
  CHECK(b.job("n1").powered == false);
  CHECK(b.how("n1") == row_state::done);
  CHECK(b.has_remark("n1 was switched off: orderly power on n1, then orderly "
                     "node modify --offline=no n1"));
}

TEST_CASE("what was switched is recorded after a stop, not called back") {
  rig b;
  b.begin(off({"n1"}));
  b.job("n1");
  b.switched("n1");
  b.feed(stopped{"root"});
  CHECK(b.called_back.empty());
  CHECK(b.job("n1").powered == false);
}

TEST_CASE("an errand that ends by itself tells no undo") {
  rig b;
  b.begin(off({"n1"}));
  b.job("n1");
  b.switched("n1");
  b.job("n1");
  CHECK(b.s.ended != never);
  CHECK(b.s.remarks.empty());
}

TEST_CASE("what a stopped errand marked is known after a restart") {
  rig b;
  b.begin(off({"n1"}));
  b.job("n1");
  b.feed(stopped{"root"});
  b.restart();
  b.report("n1", power_state::on);
  CHECK(b.s.ended != never);
  CHECK(b.has_remark("n1 was marked offline: "));
}

TEST_CASE("orders of an errand are told until they are carried out") {
  rig b;
  b.rules.power.concurrency = 1;
  b.begin(off({"n1", "n2"}));
  auto all = orders_of(b.s);
  REQUIRE(all.size() == 2);
  CHECK(all["n1"].running);
  CHECK(all["n1"].step == "mark-offline");
  CHECK(all["n1"].who == "bob");
  CHECK(all["n1"].verb == power_verb::off);
  CHECK_FALSE(all["n2"].running);
  b.job("n1");
  b.switched("n1");
  CHECK(orders_of(b.s).count("n1") == 0);
  b.feed(stopped{"root"});
  CHECK(orders_of(b.s).empty());
  b.job("n1");
  CHECK(b.s.ended != never);
  CHECK(orders_of(b.s).empty());
}

TEST_CASE("readings are no orders") {
  rig b;
  b.begin(rig::request(rig::power(power_verb::status, {"n1"})));
  CHECK(orders_of(b.s).empty());
}

} // namespace orderly::errand::errand_stop_test
