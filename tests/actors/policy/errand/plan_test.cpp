// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/errand/nodes_hit.hpp"
#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_plan_test {

using Catch::Matchers::Contains;

TEST_CASE("before the cluster was read every errand is refused") {
  rig b;
  auto w = b.look();
  w.picture = nullptr;
  auto answer = plan(b.request(verify_errand{}), w, b.now);
  REQUIRE(std::holds_alternative<refusal>(answer));
  CHECK_THAT(std::get<refusal>(answer).text, Contains("not read yet"));
}

TEST_CASE("on, off and cycle need at least one node") {
  rig b;
  for (auto verb : {power_verb::on, power_verb::off, power_verb::cycle}) {
    auto why = b.refused(b.request(b.power(verb, {})));
    CHECK(why.text == "Please provide at least one node for this command");
    CHECK(why.kind == refused_for::usage);
  }
}

TEST_CASE("status and health without names are about all capable nodes") {
  rig b;
  for (auto verb : {power_verb::status, power_verb::health}) {
    b.begin(b.request(b.power(verb, {})));
    std::vector<std::string> names;
    for (const auto& r : b.s.rows)
      names.push_back(r.object);
    CHECK(names == std::vector<std::string>{"m", "n1", "n2", "n3"});
  }
}

TEST_CASE("rows stand in natural order, each node once") {
  rig b;
  for (const char* name : {"n10"}) {
    node_record x = b.node("n1");
    x.name = name;
    b.cluster.nodes.insert(b.cluster.nodes.begin() + 3, x);
  }
  b.begin(b.request(b.power(power_verb::status, {"n10", "n2", "n10", "n1"})));
  REQUIRE(b.s.rows.size() == 3);
  CHECK(b.s.rows[0].object == "n1");
  CHECK(b.s.rows[1].object == "n2");
  CHECK(b.s.rows[2].object == "n10");
}

TEST_CASE("an unknown node is refused with names that are near") {
  rig b;
  b.node("n3").name = "node3.example.com";
  auto why = b.refused(b.request(b.power(power_verb::off, {"nodee3"})));
  CHECK(why.kind == refused_for::not_found);
  CHECK_THAT(why.text, Contains("no node 'nodee3'")
                         && Contains("did you mean 'node3.example.com'?"));
}

TEST_CASE("a first label stands for a node only if one has it") {
  rig b;
  b.node("n2").name = "x.here";
  b.node("n3").name = "x.there";
  auto why = b.refused(b.request(b.power(power_verb::off, {"x"})));
  CHECK(why.kind == refused_for::not_found);
  CHECK_THAT(why.text, Contains("x.here") && Contains("x.there"));
  b.node("x.there").name = "y.there";
  b.begin(b.request(b.power(power_verb::status, {"x"})));
  CHECK(b.s.rows.at(0).object == "x.here");
}

TEST_CASE("the master is neither switched off nor cycled") {
  rig b;
  auto off = b.refused(b.request(b.power(power_verb::off, {"n1", "m"})));
  CHECK(off.text
        == "Operating on the master node m is not allowed for power-off; run "
           "'/usr/bin/oob power-off m' if you want to operate on the master "
           "regardless");
  CHECK(off.kind == refused_for::state);
  b.node("m").oob_program = "!";
  auto cycle = b.refused(b.request(b.power(power_verb::cycle, {"m"})));
  CHECK(cycle.text
        == "Operating on the master node m is not allowed for power-cycle; it "
           "does not support out-of-band operations");
  CHECK(b.refused(b.request(b.power(power_verb::on, {"m"}))).text.empty());
}

TEST_CASE("a node without power control is told so, and the rest goes on") {
  rig b;
  b.begin(b.request(b.power(power_verb::status, {"bare", "n1"})));
  CHECK(b.how("bare") == row_state::unsupported);
  CHECK(b.of("bare").text == "Node bare does not support OOB commands");
  b.report("n1", power_state::on);
  CHECK(b.s.ended != never);
  CHECK(has_failed(b.s));
}

TEST_CASE("the bare opcode refuses to switch off a node in service") {
  rig b;
  auto x = b.power(power_verb::off, {"n1"});
  x.bare = true;
  auto why = b.refused(b.request(x));
  CHECK(why.text
        == "Cannot power off node n1 because it is not marked offline");
  b.node("n1").offline = true;
  b.begin(b.request(x));
  CHECK(b.switched("n1").verb == power_verb::off);
}

TEST_CASE("a number that is said holds for nodes that go on as well") {
  rig b;
  auto asked = b.request(b.power(power_verb::on, {"n1", "n2"}));
  asked.count = 17;
  CHECK_THAT(b.refused(asked).text, Contains("power-on of 2 nodes, not of 17"));
  asked.count = 2;
  CHECK(b.refused(asked).text.empty());
}

TEST_CASE("more than five nodes go off only if their number is said") {
  rig b;
  for (char c = '4'; c <= '6'; ++c) {
    auto x = b.node("n1");
    x.name = std::string{"n"} + c;
    b.cluster.nodes.push_back(x);
  }
  auto asked
    = b.request(b.power(power_verb::off, {"n1", "n2", "n3", "n4", "n5", "n6"}));
  CHECK(b.refused(asked).kind == refused_for::usage);
  CHECK_THAT(b.refused(asked).text, Contains("--count 6"));
  asked.count = 5;
  CHECK_THAT(b.refused(asked).text, Contains("not of 5"));
  asked.count = 6;
  CHECK(b.refused(asked).text.empty());
  asked.count.reset();
  asked.dry = true;
  CHECK(b.refused(asked).text.empty());
  std::get<power_errand>(asked.what).nodes.pop_back();
  asked.dry = false;
  CHECK(b.refused(asked).text.empty());
}

TEST_CASE("a dry errand has its rows and does nothing") {
  rig b;
  b.add_instance("i1", "n1", {"n2"});
  auto asked = b.request(b.power(power_verb::off, {"n1"}));
  asked.dry = true;
  b.begin(asked);
  CHECK(b.todo.empty());
  auto sheet = sheet_of(b.s, b.look());
  REQUIRE(sheet.rows.size() == 1);
  CHECK(sheet.rows[0].primaries == std::vector<std::string>{"i1"});
  CHECK(sheet.rows[0].power_control);
  CHECK(sheet.rows[0].record->powered);
  CHECK(sheet.ended != never);
  CHECK_FALSE(sheet.failed);
}

TEST_CASE("two errands never act on the same node") {
  rig b;
  b.busy["n1"] = "power-3";
  for (auto what :
       {decltype(errand_request::what){b.power(power_verb::on, {"n1"})},
        decltype(errand_request::what){confirm_errand{"n1"}}})
    CHECK_THAT(b.refused(b.request(what)).text, Contains("power-3"));
  CHECK(b.refused(b.request(b.power(power_verb::status, {"n1"}))).text.empty());
}

TEST_CASE("only so many errands go on at once") {
  rig b;
  auto act = b.request(b.power(power_verb::on, {"n1"}));
  auto read = b.request(b.power(power_verb::status, {"n1"}));
  b.acting = open_max;
  CHECK(b.refused(act).kind == refused_for::state);
  CHECK(b.refused(read).text.empty());
  CHECK(b.refused(b.request(info_errand{})).text.empty());
  b.reading = open_max;
  CHECK(b.refused(read).kind == refused_for::state);
}

TEST_CASE("readings do not keep a person from acting, however many there are") {
  rig b;
  b.reading = 10 * open_max;
  CHECK(b.refused(b.request(b.power(power_verb::on, {"n1"}))).text.empty());
}

TEST_CASE("without the right to act only readings and dry errands are taken") {
  rig b;
  b.lose_right();
  epo_errand e;
  e.names = {"n1"};
  modify_errand m;
  m.node = "n1";
  m.offline = true;
  for (auto what :
       {decltype(errand_request::what){b.power(power_verb::off, {"n1"})},
        decltype(errand_request::what){e}, decltype(errand_request::what){m},
        decltype(errand_request::what){confirm_errand{"n1"}}}) {
    auto asked = b.request(what);
    CHECK(b.refused(asked).kind == refused_for::state);
    CHECK(b.refused(asked).text == "nothing may be done now: the master is n3");
    asked.dry = true;
    CHECK(b.refused(asked).text.empty());
  }
  CHECK(b.refused(b.request(b.power(power_verb::status, {}))).text.empty());
  CHECK(b.refused(b.request(verify_errand{})).text.empty());
}

TEST_CASE("modify needs power control to change the record") {
  rig b;
  modify_errand x;
  x.node = "bare";
  CHECK(b.refused(b.request(x)).kind == refused_for::usage);
  x.powered = false;
  CHECK(b.refused(b.request(x)).text
        == "Unable to change powered state for node bare as it does not "
           "support out-of-band handling");
}

TEST_CASE("a node recorded off is taken back only when recorded on") {
  rig b;
  b.node("n1").powered = false;
  b.node("n1").offline = true;
  modify_errand x;
  x.node = "n1";
  x.offline = false;
  CHECK(b.refused(b.request(x)).text
        == "Node n1 needs to be turned on before its offline status can be "
           "reset");
  x.powered = true;
  b.begin(b.request(x));
  auto op = b.job("n1");
  CHECK(op.kind == op_kind::node_modify);
  CHECK(op.offline == false);
  CHECK(op.powered == true);
  CHECK(b.how("n1") == row_state::done);
  CHECK(b.has_told("power-record", "off -> on"));
}

TEST_CASE("a helper is named by an absolute path") {
  rig b;
  modify_errand x;
  x.node = "n1";
  x.program = "oob";
  CHECK(b.refused(b.request(x)).kind == refused_for::usage);
  x.program = "!";
  CHECK(b.refused(b.request(x)).text.empty());
}

TEST_CASE("info has a row a node and asks nobody") {
  rig b;
  b.begin(b.request(info_errand{{"n2"}}));
  CHECK(b.s.rows.size() == 1);
  CHECK(b.s.ended != never);
  CHECK(b.todo.empty());
  CHECK_FALSE(has_failed(b.s));
}

TEST_CASE("a word that a node is off needs a reason") {
  rig b;
  auto asked = b.request(confirm_errand{"n1"});
  for (const auto* none : {"", "   ", "\t"}) {
    asked.reason = none;
    CHECK(b.refused(asked).kind == refused_for::usage);
  }
  b.begin(b.request(confirm_errand{"n1"}));
  auto x = b.take<give_word>("n1");
  CHECK(x.word.who == "bob");
  // The person sees why it takes so long.
  CHECK(x.word.until == b.now + word_within);
  CHECK_THAT(b.of("n1").text, Contains("up to 12 min"));
  b.feed(word_told{x.at, false, "it answers its health checks"});
  CHECK(b.of("n1").text == "it answers its health checks");
  CHECK(has_failed(b.s));
}

TEST_CASE("what must be given as --count is what the sheet shows as hit") {
  rig b;
  b.add_instance("i1", "m");
  for (int i = 0; i < 6; ++i) {
    node_record x;
    x.name = "x" + std::to_string(i);
    x.group = "g1";
    if (i != 5) // the last one cannot be switched
      x.oob_program = "/usr/bin/oob";
    b.cluster.nodes.push_back(x);
  }
  b.add_instance("i2", "x5");
  epo_errand x;
  x.all = true;
  auto asked = rig::request(x);
  asked.dry = true;
  auto dry = sheet_of(b.begin(asked).s, b.look());
  auto hit = nodes_hit(dry).size();
  CHECK(hit == 9); // m for its instance, n1 .. n3, x0 .. x4
  asked.dry = false;
  CHECK(b.refused(asked).kind == refused_for::usage);
  asked.count = static_cast<std::uint32_t>(hit);
  CHECK(b.refused(asked).text.empty());
}

} // namespace orderly::errand::errand_plan_test
