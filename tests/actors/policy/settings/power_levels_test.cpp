// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/settings/power_levels.hpp"

#include <catch2/catch.hpp>

namespace orderly::settings_power_levels_test {

namespace {

using texts = std::vector<std::string>;

node_record node(const char* program) {
  node_record x;
  x.name = "n1";
  x.group = "g1";
  x.oob_program = program;
  return x;
}

} // namespace

TEST_CASE("without settings the cluster's own helper is the only level") {
  settings s;
  CHECK(power_levels(node("/usr/bin/oob"), s) == texts{"/usr/bin/oob"});
}

TEST_CASE("an exclamation mark and nothing opt out") {
  settings s;
  CHECK(power_levels(node("!"), s).empty());
  CHECK(power_levels(node(""), s).empty());
  s.power.levels["n1"] = {"!"};
  CHECK(power_levels(node("/usr/bin/oob"), s).empty());
  s.power.levels["n1"] = {};
  CHECK(power_levels(node("/usr/bin/oob"), s).empty());
  s.power.levels["n1"] = {"/a", ""};
  CHECK(power_levels(node("/usr/bin/oob"), s).empty());
}

TEST_CASE("levels of the node come before those of its group, then all's") {
  settings s;
  s.power.program = "/override";
  CHECK(power_levels(node("/oob"), s) == texts{"/override"});
  s.power.levels["*"] = {"/all"};
  CHECK(power_levels(node("/oob"), s) == texts{"/all"});
  s.power.levels["group:g1"] = {"/group", "/second"};
  CHECK(power_levels(node("/oob"), s) == texts{"/group", "/second"});
  s.power.levels["n1"] = {"/node"};
  CHECK(power_levels(node("/oob"), s) == texts{"/node"});
  s.power.levels["n2"] = {"/other"};
  CHECK(power_levels(node("/oob"), s) == texts{"/node"});
}

TEST_CASE("the word cluster stands for the cluster's own helper") {
  settings s;
  s.power.levels["*"] = {"cluster", "/pdu"};
  CHECK(power_levels(node("/oob"), s) == texts{"/oob", "/pdu"});
  CHECK(power_levels(node(""), s) == texts{"/pdu"});
  s.power.levels["*"] = {"/pdu", "cluster"};
  CHECK(power_levels(node("/pdu"), s) == texts{"/pdu"});
}

TEST_CASE("a node's exclamation mark in Ganeti beats every setting that is not "
          "the node's own") {
  settings s;
  s.power.program = "/override";
  CHECK(power_levels(node("!"), s).empty());
  CHECK(power_levels(node(""), s) == texts{"/override"});
  s.power.levels["*"] = {"/all", "cluster"};
  CHECK(power_levels(node("!"), s).empty());
  s.power.levels["group:g1"] = {"/group"};
  CHECK(power_levels(node("!"), s).empty());
  s.power.levels["n2"] = {"/other"};
  CHECK(power_levels(node("!"), s).empty());
  s.power.levels["n1"] = {"cluster", "/node"};
  CHECK(power_levels(node("!"), s) == texts{"/node"});
}

TEST_CASE("patience grows with the most levels that any node has") {
  settings s;
  CHECK(levels_most(s) == 1);
  s.power.levels["n1"] = {};
  CHECK(levels_most(s) == 1);
  s.power.levels["n2"] = {"/a", "/b", "/c"};
  CHECK(levels_most(s) == 3);
}

TEST_CASE("a node's oob_program is an absolute path or an opt-out") {
  CHECK(why_no_program("/usr/bin/oob").empty());
  CHECK(why_no_program("!").empty());
  CHECK(why_no_program("").empty());
  CHECK(why_no_program("oob").find("'oob'") != std::string::npos);
}

TEST_CASE("Ganeti keeps the power record of a node with any oob_program") {
  CHECK(keeps_power_record(node("/oob")));
  CHECK(keeps_power_record(node("!")));
  CHECK_FALSE(keeps_power_record(node("")));
}

} // namespace orderly::settings_power_levels_test
