// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab/drill.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>

namespace orderly::lab_drill_test {

using namespace orderly::sim;

namespace {

drill parsed(const std::string& text) {
  auto d = parse_drill(text, "good.drill");
  REQUIRE(d.ok());
  return *d;
}

/// What is said about a text with a mistake; empty if it finds none.
std::string complaint(const std::string& text) {
  auto d = parse_drill(text, "some/bad.drill");
  return d ? "" : d.why().text;
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

settings rules_for(const drill& d) {
  auto rules = settings_of(d, ".");
  REQUIRE(rules.ok());
  return *rules;
}

const std::string power_loss = "# One node loses power.\n"
                               "world small-3n\n"
                               "seed 4\n"
                               "at 1m power node3 off\n"
                               "run 6m\n";

} // namespace

TEST_CASE("a drill is read line by line") {
  auto d = parsed("# What it is about.\n"
                  "\n"
                  "world small-5n\n"
                  "seed  12\n"
                  "config quick.toml\n"
                  "set   storm.settle 6s\n"
                  "at 5m power node3 on\n"
                  "at 90s power node3 off\r\n"
                  "upon proof node:node3 daemon kill\n"
                  "upon pending instance:web3 nth 2 after 500ms luxi down\n"
                  "run 1h30m\n"
                  "----\n"
                  "+2m00s   world      power node3 off\n");
  CHECK(d.head == std::vector<std::string>{"# What it is about.", ""});
  CHECK(d.world == "small-5n");
  CHECK(d.seed == 12);
  CHECK(d.config == "quick.toml");
  CHECK(d.sets
        == std::vector<std::pair<std::string, std::string>>{
          {"storm.settle", "6s"}});
  // By time, whatever their order in the file.
  REQUIRE(d.events.size() == 2);
  CHECK(d.events[0].at == seconds{90});
  CHECK(d.events[0].fault == "power node3 off");
  CHECK(d.events[1].at == minutes{5});
  REQUIRE(d.triggers.size() == 2);
  CHECK(d.triggers[0].code == "proof");
  CHECK(d.triggers[0].object == "node:node3");
  CHECK(d.triggers[0].fault == "daemon kill");
  CHECK(d.triggers[0].after == millis{0});
  CHECK(d.triggers[0].nth == 1);
  CHECK(d.triggers[1].nth == 2);
  CHECK(d.triggers[1].after == millis{500});
  CHECK(d.triggers[1].fault == "luxi down");
  CHECK(d.length == minutes{90});
  CHECK(d.expected == "+2m00s   world      power node3 off\n");
}

TEST_CASE("a mistake in a drill is told with file, line and what to do") {
  CHECK(complaint("world small-3n\nrun 5m\n").empty());
  CHECK(says(complaint("world small-3n\nwordl x\n"),
             "some/bad.drill:2: unknown word 'wordl'; known are world"));
  CHECK(says(complaint("# x\n\nworld tiny\n"),
             "some/bad.drill:3: no world is named 'tiny'; use small-3n"));
  CHECK(says(complaint("seed 7x\n"),
             "some/bad.drill:1: seed needs a whole number, not '7x'"));
  CHECK(says(complaint("seed\n"), "some/bad.drill:1: seed needs"));
  CHECK(says(complaint("config\n"), "some/bad.drill:1: config needs a file"));
  CHECK(says(complaint("set storm.settle\n"),
             "some/bad.drill:1: set needs a key and a value"));
  CHECK(says(complaint("run for ever\n"), "some/bad.drill:1: 'for ever'"));
  CHECK(says(complaint("at noon power node3 off\n"),
             "some/bad.drill:1: 'noon' is no length of time such as 2m"));
  CHECK(says(complaint("seed 1\nat 2m explode node3\n"),
             "some/bad.drill:2: fault 'explode node3'"));
  CHECK(says(complaint("upon proof node:node3\n"), "some/bad.drill:1: fault"));
  CHECK(says(complaint("upon proof node:node3 after x daemon kill\n"),
             "some/bad.drill:1: 'x'"));
  for (auto bad : {"0", "x", "2x", "-1"})
    CHECK(says(complaint("upon proof node:node3 nth " + std::string{bad}
                         + " daemon kill\n"),
               "some/bad.drill:1: nth needs a whole number from 1, not '"
                 + std::string{bad} + "'"));
}

TEST_CASE("lengths of time are read and written") {
  const std::vector<std::pair<std::string, millis>> cases{
    {"0s", millis{0}},          {"1500ms", millis{1500}},
    {"59s", seconds{59}},       {"1m", minutes{1}},
    {"1m30s", seconds{90}},     {"2h", hours{2}},
    {"90m", minutes{90}},       {"1h1m1s", seconds{3661}},
    {"120000ms", seconds{120}}, {"1m1ms", millis{60001}},
  };
  for (const auto& [text, span] : cases) {
    INFO(text);
    auto read = parse_span(text);
    REQUIRE(read.ok());
    CHECK(*read == span);
    auto again = parse_span(render_span(span));
    REQUIRE(again.ok());
    CHECK(*again == span);
  }
  for (const auto* bad : {"", "5", "m", "5x", "5m3", "-5s", "5 m",
                          "9999999999s", "99999999999999999999s"}) {
    INFO(bad);
    auto read = parse_span(bad);
    REQUIRE(!read.ok());
    CHECK(says(read.why().text, "'" + std::string{bad} + "' is no length"));
  }
}

TEST_CASE("a knob takes only what fits it") {
  settings rules;
  CHECK(set_knob(rules, "storm.settle", "6s").empty());
  CHECK(rules.storm.settle == seconds{6});
  CHECK(set_knob(rules, "storm.percent_max", "35").empty());
  CHECK(rules.storm.percent_max == 35);
  CHECK(set_knob(rules, "host_ha.activity_failure_ratio", "0.5").empty());
  CHECK(rules.host_ha.activity_failure_ratio == 0.5);
  CHECK(set_knob(rules, "autorepair.enabled", "true").empty());
  CHECK(rules.autorepair.enabled);
  CHECK(set_knob(rules, "power.program", "/bin/oob").empty());
  CHECK(rules.power.program == "/bin/oob");

  CHECK(set_knob(rules, "storm.setle", "6s")
        == "there is no setting 'storm.setle'");
  CHECK(!set_knob(rules, "storm.settle", "six").empty());
  CHECK(!set_knob(rules, "storm.settle", "-6s").empty());
  CHECK(!set_knob(rules, "storm.percent_max", "many").empty());
  CHECK(!set_knob(rules, "storm.percent_max", "101").empty());
  CHECK(!set_knob(rules, "host_ha.activity_failure_ratio", "x").empty());
  CHECK(!set_knob(rules, "autorepair.enabled", "maybe").empty());
  // A mistake changes nothing.
  CHECK(rules.storm.settle == seconds{6});
  CHECK(rules.storm.percent_max == 35);
  CHECK(rules.autorepair.enabled);
}

TEST_CASE("the settings of a drill are its file, and then its own lines") {
  scratch_folder scratch;
  auto folder = scratch.path("");
  std::ofstream{scratch.path("base.toml")}
    << "[storm]\nsettle = \"9s\"\npercent_max = 33\n";
  auto d = parsed("config base.toml\nset storm.settle 7s\n");
  auto rules = settings_of(d, folder);
  REQUIRE(rules.ok());
  CHECK(rules->storm.settle == seconds{7});
  CHECK(rules->storm.percent_max == 33);

  CHECK(rules_for(parsed("seed 1\n")).autorepair.enabled);
  auto wrong = settings_of(parsed("set no.such 1\n"), ".");
  REQUIRE(!wrong.ok());
  CHECK(says(wrong.why().text, "set no.such: there is no setting"));
  auto missing = settings_of(parsed("config none.toml\n"), folder);
  REQUIRE(!missing.ok());
  CHECK(says(missing.why().text, "none.toml"));
}

TEST_CASE("a drill that is played again has the transcript it was given") {
  auto d = parsed(power_loss);
  auto first = play(d, rules_for(d));
  CHECK(first.broken.empty());
  CHECK(first.troubles.empty());
  CHECK(says(first.transcript, "+1m00s   world      power node3 off\n"));
  CHECK(says(first.transcript, "node3"));
  auto written = parsed(render_drill(d, first.transcript));
  CHECK(written.text == d.text);
  auto again = play(written, rules_for(written));
  CHECK(again.transcript == written.expected);
}

TEST_CASE("a changed transcript is no longer that of the run") {
  auto d = parsed(power_loss);
  auto first = play(d, rules_for(d));
  auto changed = first.transcript;
  changed.replace(changed.find("node3"), 5, "node2");
  auto written = parsed(render_drill(d, changed));
  CHECK(play(written, rules_for(written)).transcript != written.expected);
  // One line less is another transcript, too.
  auto shorter = first.transcript.substr(first.transcript.find('\n') + 1);
  CHECK(parsed(render_drill(d, shorter)).expected != first.transcript);
}

TEST_CASE("what could not be done in a drill is told") {
  auto d = parsed("at 1m power node9 off\n"
                  "upon proof node:node2 daemon kill\n"
                  "run 2m\n");
  auto outcome = play(d, rules_for(d));
  REQUIRE(outcome.troubles.size() == 2);
  CHECK(outcome.troubles[0] == "power node9 off: there is no node node9");
  CHECK(outcome.troubles[1] == "upon proof node:node2: it never happened");
}

TEST_CASE("an event upon an entry happens once, right after it") {
  auto d = parsed("at 1m power node3 off\n"
                  "upon suspect node:node3 after 1s power node3 on\n"
                  "run 5m\n");
  auto outcome = play(d, rules_for(d));
  CHECK(outcome.troubles.empty());
  CHECK(outcome.broken.empty());
  auto& text = outcome.transcript;
  auto on = text.find("power node3 on\n");
  REQUIRE(on != std::string::npos);
  CHECK(text.find("suspect") < on);
  CHECK(text.find("power node3 on\n", on + 1) == std::string::npos);
}

TEST_CASE("S24: the same drill gives the same trace twice") {
  auto d = parsed(power_loss);
  auto rules = rules_for(d);
  auto a = play(d, rules);
  auto b = play(d, rules);
  CHECK(a.trace_hash == b.trace_hash);
  CHECK(a.steps == b.steps);
  CHECK(a.transcript == b.transcript);
}

TEST_CASE("S24: another seed gives another trace") {
  auto d = parsed(power_loss);
  auto rules = rules_for(d);
  auto a = play(d, rules);
  d.seed = 5;
  CHECK(play(d, rules).trace_hash != a.trace_hash);
}

} // namespace orderly::lab_drill_test
