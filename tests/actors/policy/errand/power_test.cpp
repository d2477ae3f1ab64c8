// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_power_test {

using Catch::Matchers::Contains;

TEST_CASE("off marks the node offline, switches it off and records it") {
  rig b;
  b.begin(b.request(b.power(power_verb::off, {"n1"})));
  CHECK(b.count<give_power>() == 0);
  auto mark = b.job("n1");
  CHECK(mark.offline == true);
  auto order = b.switched("n1");
  CHECK(order.who == "bob");
  CHECK(order.intent == "power-7/0/1/0");
  auto note = b.job("n1");
  CHECK(note.powered == false);
  CHECK(b.how("n1") == row_state::done);
  CHECK_FALSE(b.node("n1").powered);
  CHECK(b.has_told("power-off", "by bob"));
  CHECK(b.has_told("power-record", "on -> off"));
  CHECK_FALSE(has_failed(b.s));
}

TEST_CASE("a node that cannot be marked offline is not switched off") {
  rig b;
  b.begin(b.request(b.power(power_verb::off, {"n1"})));
  b.job("n1", false, "no candidates left");
  CHECK(b.how("n1") == row_state::failed);
  CHECK_THAT(b.of("n1").text, Contains("no candidates left"));
  CHECK(b.todo.empty());
  CHECK(b.s.ended != never);
}

TEST_CASE("a helper that fails leaves the node offline and the record alone") {
  rig b;
  b.begin(b.request(b.power(power_verb::off, {"n1"})));
  b.job("n1");
  b.report("n1", power_state::unknown, false,
           "OOB program execution failed (bmc gone)");
  CHECK(b.how("n1") == row_state::failed);
  CHECK_THAT(b.of("n1").text,
             Contains("OOB program execution failed (bmc gone)"));
  CHECK(b.node("n1").offline);
  CHECK(b.node("n1").powered);
  CHECK(b.todo.empty());
}

TEST_CASE("without marking, off touches nothing but power and record") {
  rig b;
  auto x = b.power(power_verb::off, {"n1"});
  x.mark_offline = false;
  b.begin(b.request(x));
  b.switched("n1");
  b.job("n1");
  CHECK_FALSE(b.node("n1").offline);
  CHECK_FALSE(b.node("n1").powered);
}

TEST_CASE("the record follows the table of the design") {
  struct line {
    bool before;
    power_verb verb;
    bool after;
  };

  for (auto x :
       {line{false, power_verb::off, false},
        line{false, power_verb::cycle, false},
        line{false, power_verb::on, true}, line{true, power_verb::off, false},
        line{true, power_verb::cycle, true},
        line{true, power_verb::on, true}}) {
    for (bool by_cluster : {true, false}) {
      rig b;
      if (!by_cluster) {
        b.rules.power.program = "/etc/ours";
        b.node("n1").oob_program.clear();
        if (!x.before)
          b.recorded_off["n1"];
      }
      b.node("n1").powered = by_cluster ? x.before : true;
      b.node("n1").offline = true;
      b.begin(b.request(b.power(x.verb, {"n1"})));
      b.switched("n1");
      while (b.count<send_job>() > 0)
        b.job("n1");
      CAPTURE(x.before, to_string(x.verb), by_cluster);
      CHECK(b.look().node("n1")->powered == x.after);
      CHECK(b.how("n1") == row_state::done);
    }
  }
}

TEST_CASE("power-ons keep the delay, but not after one that failed") {
  rig b;
  b.begin(b.request(b.power(power_verb::on, {"n1", "n2", "n3"})));
  CHECK(b.count<give_power>() == 1);
  b.wait(seconds{9});
  CHECK(b.count<give_power>() == 1); // n1 has not answered
  b.report("n1", power_state::on);
  b.wait(millis{1999});
  CHECK(b.count<give_power>() == 0);
  b.wait(millis{1});
  CHECK(b.verb_asked("n2") == power_verb::on);
  b.report("n2", power_state::unknown, false, "no");
  CHECK(b.verb_asked("n3") == power_verb::on); // at once
}

TEST_CASE("a power-on that hangs holds up the next one for a while only") {
  rig b;
  b.begin(b.request(b.power(power_verb::on, {"n1", "n2"})));
  b.wait(patience_in_turn + millis{1999});
  CHECK(b.count<give_power>() == 1);
  b.wait(millis{1});
  CHECK(b.count<give_power>() == 2);
}

TEST_CASE("a power-on in an emergency power-off says how to end that") {
  rig b;
  b.holds["n1"] = {"eve", "fire", "power-3", false, false};
  b.begin(b.request(b.power(power_verb::on, {"n1"})));
  CHECK(b.has_remark("orderly epo --on n1"));
}

TEST_CASE("a mismatch is told and never corrected") {
  rig b;
  b.begin(b.request(b.power(power_verb::status, {"n1", "n2"})));
  b.report("n1", power_state::off);
  b.report("n2", power_state::on);
  auto text = "Recorded power state (True) of node 'n1' does not match actual "
              "power state (False)";
  CHECK(b.s.remarks == std::vector<std::string>{text});
  CHECK(b.has_told("power-mismatch", text));
  CHECK(b.of("n1").power == power_state::off);
  CHECK(b.node("n1").powered);
  CHECK_FALSE(has_failed(b.s));
}

TEST_CASE("a power state that cannot be read is unknown and a failure") {
  rig b;
  b.begin(b.request(b.power(power_verb::status, {"n1"})));
  b.report("n1", power_state::off, false, "OOB program execution failed (x)");
  CHECK(b.of("n1").power == power_state::unknown);
  CHECK(b.how("n1") == row_state::failed);
  CHECK(b.has_remark("OOB program execution failed (x)"));
  CHECK(has_failed(b.s));
}

TEST_CASE("what a health check warns of is a remark and in the journal") {
  rig b;
  b.begin(b.request(b.power(power_verb::health, {"n1"})));
  auto x = b.take<give_power>("n1");
  power_report r;
  r.confirmed = true;
  r.items = {
    {"PS", "OK"}, {"FAN 1", "WARNING"}, {"Temp", "CRITICAL"}, {"X", "UNKNOWN"}};
  b.feed(power_told{x.at, r});
  CHECK(b.of("n1").items.size() == 4);
  CHECK(b.s.remarks
        == std::vector<std::string>{
          "Item 'FAN 1' on node 'n1' has status 'WARNING'",
          "Item 'Temp' on node 'n1' has status 'CRITICAL'"});
  CHECK(b.told.size() == 2);
  CHECK_FALSE(has_failed(b.s));
}

TEST_CASE("verify looks at each helper once and at each node's record") {
  rig b;
  b.rules.power.levels["n2"] = {"/a", "cluster"};
  b.begin(b.request(verify_errand{}));
  auto wrong = b.take<check_program>("/a");
  b.feed(program_told{wrong.at, "out of band helper /a is not executable"});
  b.feed(program_told{b.take<check_program>("/usr/bin/oob").at, ""});
  CHECK(b.count<check_program>() == 0);
  CHECK_THAT(b.of("/a").text, Contains("ENODEOOBPATH"));
  for (const char* name : {"m", "n1", "n2"})
    b.report(name, power_state::on);
  b.report("n3", power_state::off);
  CHECK(b.has_remark("of node 'n3' does not match"));
  CHECK(b.s.ended != never);
  CHECK(has_failed(b.s)); // for the helper, not for the record
  CHECK(b.how("n3") == row_state::done);
}

TEST_CASE("verify has a row for each setting that holds for nobody") {
  rig b;
  b.rules.power.levels["nod2"] = {"!"};
  b.rules.power.levels["group:nowhere"] = {"!"};
  b.rules.power.levels["n2"] = {"cluster"};
  b.rules.host_ha.groups["nobody"] = {"activity_checks = 5"};
  b.begin(b.request(verify_errand{}));
  for (const auto* key :
       {R"(power.levels."nod2")", R"(power.levels."group:nowhere")",
        R"(host_ha.groups."nobody")"}) {
    INFO(key);
    CHECK(b.of(key).kind == row_kind::setting);
    CHECK(b.how(key) == row_state::failed);
    CHECK_THAT(b.of(key).text, Contains("holds for nobody"));
  }
  CHECK_THAT(b.of(R"(power.levels."nod2")").text,
             Contains("did you mean 'n2'"));
  CHECK(b.s.rows.size() == 1 + 4 + 3);
  b.feed(program_told{b.take<check_program>("/usr/bin/oob").at, ""});
  for (const char* name : {"m", "n1", "n2", "n3"})
    b.report(name, power_state::on);
  CHECK(b.s.ended != never);
  CHECK(has_failed(b.s));
}

TEST_CASE("verify ends where nothing but such settings is there to be told") {
  rig b;
  b.rules.power.levels = {{"*", {"!"}}, {"nod2", {"!"}}};
  b.begin(b.request(verify_errand{}));
  CHECK(b.s.rows.size() == 1);
  CHECK(b.s.ended != never);
  CHECK(has_failed(b.s));
}

TEST_CASE("a stopped errand starts nothing more but records what it did") {
  rig b;
  auto x = b.power(power_verb::off, {"n1", "n2", "n3"});
  b.rules.power.concurrency = 2;
  b.begin(b.request(x));
  b.job("n1");
  b.feed(stopped{"eve"});
  b.switched("n1");
  CHECK(b.job("n1").powered == false);
  CHECK(b.how("n1") == row_state::done);
  b.job("n2");
  CHECK(b.how("n2") == row_state::skipped);
  CHECK_THAT(b.of("n2").text, Contains("stopped by eve"));
  CHECK(b.how("n3") == row_state::skipped);
  CHECK(b.todo.empty());
  CHECK(b.s.ended != never);
  CHECK(has_failed(b.s));
}

TEST_CASE("after a restart a node is commanded only if it needs to be") {
  for (auto seen : {power_state::off, power_state::on, power_state::unknown}) {
    rig b;
    b.begin(b.request(b.power(power_verb::off, {"n1"})));
    b.job("n1");
    b.restart();
    b.wishes["n1"].wanted = power_state::off;
    auto first = b.report("n1", seen, seen != power_state::unknown);
    CHECK(first.verb == power_verb::status);
    if (seen != power_state::off) {
      auto again = b.switched("n1");
      CHECK(again.verb == power_verb::off);
      CHECK(again.intent == "power-7/0/1/0");
    }
    b.job("n1");
    CHECK(b.how("n1") == row_state::done);
    CHECK_FALSE(b.node("n1").powered);
  }
}

TEST_CASE("after a restart a job is asked for under the same intent") {
  rig b;
  b.begin(b.request(b.power(power_verb::off, {"n1"})));
  auto before = b.take<send_job>("n1").order;
  b.restart();
  auto after = b.take<send_job>("n1").order;
  CHECK(before.intent == after.intent);
  CHECK(before.ops == after.ops);
}

TEST_CASE("after a restart nobody guesses whether a cycle was done") {
  rig b;
  b.begin(b.request(b.power(power_verb::cycle, {"n1"})));
  b.given["n1"] = b.take<give_power>("n1").order.intent;
  b.restart();
  CHECK(b.how("n1") == row_state::failed);
  CHECK(b.of("n1").commanded);
  CHECK(b.todo.empty());
}

TEST_CASE("a cycle of which no intent was on disk was not given") {
  auto older = GENERATE(false, true);
  rig b;
  b.begin(b.request(b.power(power_verb::cycle, {"n1"})));
  b.given["n1"] = "another/1";
  // A journal that was put back does not tell.
  b.restart(older ? b.now + seconds{1} : never);
  CHECK(b.how("n1") == row_state::failed);
  CHECK(b.of("n1").commanded == older);
  CHECK(b.todo.empty());
}

TEST_CASE("readings are not resumed") {
  rig b;
  b.begin(b.request(b.power(power_verb::status, {"n1", "n2"})));
  b.report("n1", power_state::on);
  b.restart();
  CHECK(b.how("n1") == row_state::done);
  CHECK(b.how("n2") == row_state::failed);
  CHECK_THAT(b.of("n2").text, Contains("interrupted by a restart"));
  CHECK(b.s.ended != never);
}

TEST_CASE("a job that our own queue did not try is tried again, not for ever") {
  rig b;
  b.begin(b.request(b.power(power_verb::off, {"n1"})));
  std::set<intent_id> intents;
  for (std::uint32_t i = 0; i < untried_max; ++i) {
    CHECK(b.count<send_job>() == 1);
    auto x = b.take<send_job>("n1");
    intents.insert(x.order.intent);
    b.feed(job_told{x.at, false, true, "too many jobs"});
    b.wait(untried_pause);
  }
  CHECK(intents.size() == untried_max);
  CHECK(b.how("n1") == row_state::failed);
  CHECK(b.todo.empty());
}

TEST_CASE("an answer to an older step means nothing") {
  rig b;
  b.begin(b.request(b.power(power_verb::off, {"n1"})));
  auto x = b.take<send_job>("n1");
  b.feed(job_told{x.at, true, false, ""});
  auto before = b.of("n1");
  b.feed(job_told{x.at, false, false, "late"});
  CHECK(b.of("n1") == before);
}

TEST_CASE("a switch that gives no answer leaves the outcome unknown") {
  rig b;
  b.node("n1").offline = true;
  b.begin(b.request(b.power(power_verb::off, {"n1"})));
  b.feed(unanswered{b.take<give_power>("n1").at, "no answer"});
  CHECK(b.how("n1") == row_state::failed);
  CHECK_THAT(b.of("n1").text, Contains("not known"));
  CHECK(b.node("n1").powered);
}

} // namespace orderly::errand::errand_power_test
