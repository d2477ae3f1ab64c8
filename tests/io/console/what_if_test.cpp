// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// `orderly plan --what-if`, run against a made-up daemon and the recorded
// answers of a query daemon.

#include "tests/io/console/run.hpp"
#include "tests/support/planning/recorded_luxid.hpp"

#include <fstream>

namespace orderly::console_what_if_test {

using namespace orderly::test;
using namespace orderly::io::console;
using io::htools::recorded_luxid;
using nlohmann::json;

namespace {

/// What was recorded, without all that is not well in it: left are three
/// mirrored instances on three nodes, and another group with one node that is
/// offline.
json answers() {
  std::ifstream file{ORDERLY_SOURCE_DIR
                     "/tests/support/planning/data/luxi.json"};
  auto x = json::parse(file);
  auto& nodes = x.at("node");
  nodes.at("fields").push_back({{"name", "pip"}});
  for (auto& row : nodes.at("data")) {
    row.at(9) = json::array({0, false}); // drained
    row.push_back(json::array({0, "192.0.2.7"}));
  }
  json kept = json::array();
  for (const auto& row : x.at("instance").at("data"))
    for (const auto* name : {"inst1", "inst21", "inst31"})
      if (row.at(0).at(1) == std::string{name} + ".gnt.test")
        kept.push_back(row);
  REQUIRE(kept.size() == 3);
  x.at("instance").at("data") = kept;
  return x;
}

/// luxid has no figures of that node.
json silenced(json x, std::size_t node) {
  for (std::size_t k = 1; k < 8; ++k)
    x.at("node").at("data").at(node).at(k) = json::array({2, nullptr});
  return x;
}

/// The daemon's picture of the same cluster.
void all_is_well(site& at) {
  auto good = at.actors.all.nodes.front();
  at.actors.all.nodes.clear();
  for (int k = 1; k <= 6; ++k) {
    good.name = "node" + std::to_string(k) + ".gnt.test";
    good.standing.node = good.name;
    good.offline = k == 6;
    at.actors.all.nodes.push_back(good);
  }
}

outcome ask(const std::string& socket, std::vector<std::string> words,
            const json& of = answers()) {
  recorded_luxid luxid{of};
  words.insert(words.begin(), {"plan", luxid.option(), "--what-if"});
  std::vector<const char*> all;
  for (const auto& x : words)
    all.push_back(x.c_str());
  return orderly_cli(socket, all);
}

} // namespace

TEST_CASE("a live what-if ends with 0, 10 or 11 by what it says") {
  site at;
  all_is_well(at);
  auto x = ask(at.socket(), {"add=1*like:node1.gnt.test"});
  CHECK(x.code == 0);
  CHECK(x.err.empty());
  CHECK(x.out.find("What if add=1*like:node1.gnt.test?\nIt is well: nothing "
                   "need be moved.\n")
        == 0);
  x = ask(at.socket(), {"lose=node2.gnt.test"});
  CHECK(x.code == 10);
  CHECK(x.out.find("It is well after 3 moves.\n") != x.out.npos);
  CHECK(x.out.find("Moves: 3; ") != x.out.npos);
  x = ask(at.socket(), {"lose=node2.gnt.test", "lose=node3.gnt.test"});
  CHECK(x.code == exit_not_well);
  CHECK(x.out.find("Lost: inst1, of which no copy lives") != x.out.npos);
}

TEST_CASE("who is proved to be down counts as dead before Ganeti says so") {
  site at;
  all_is_well(at);
  auto& standing = at.actors.all.nodes[1].standing;
  standing.troubled = true;
  standing.proved_down = proof{standing.node, proof_level::power_status,
                               "power status off, read 11:55:00", noon};
  auto x = ask(at.socket(), {"add=1*like:node1.gnt.test", "--output", "json"});
  CHECK(x.code == 10);
  CHECK(x.err
        == "orderly: node2.gnt.test counts as dead: power status off, read "
           "11:55:00\n");
  auto told = json::parse(x.out);
  CHECK(told["verdict"] == "after_moves");
  CHECK(told["dead"] == json({"node2.gnt.test", "node6.gnt.test"}));
  CHECK(told["moves"].size() == 3);
}

TEST_CASE("who is only in trouble counts as alive, and is named") {
  site at;
  all_is_well(at);
  auto& standing = at.actors.all.nodes[1].standing;
  standing.troubled = true;
  standing.phase = ha_phase::checking;
  auto x = ask(at.socket(), {"add=1*like:node1.gnt.test"});
  CHECK(x.code == 0);
  CHECK(x.err
        == "orderly: node2.gnt.test is checking and counts as alive; to see it "
           "dead, add lose=node2.gnt.test\n");
}

TEST_CASE("a node of which Ganeti has no figures counts as dead") {
  site at;
  all_is_well(at);
  auto x
    = ask(at.socket(), {"add=1*like:node1.gnt.test"}, silenced(answers(), 1));
  CHECK(x.code == 10);
  CHECK(x.err
        == "orderly: node2.gnt.test counts as dead: Ganeti has no figures of "
           "it\n");
}

TEST_CASE("a live what-if gives advice, and knows pools and speeds") {
  site at;
  all_is_well(at);
  scratch_folder folder;
  auto pools = folder.path("pools.json");
  std::ofstream{pools} << R"({"nodes": {"node9": ["external/nas1"]}})";
  auto x = ask(at.socket(), {"lose=node2.gnt.test", "--advise", "--link",
                             "100m", "--pools", pools.c_str()});
  CHECK(x.code == 10);
  CHECK(x.out.find("Advice: nothing need be bought\n") != x.out.npos);
  CHECK(x.out.find("with a link of 100m a node") != x.out.npos);
  CHECK(x.err
        == "orderly: " + pools
             + " names node node9, which the cluster does not have\n");
}

TEST_CASE("two daemons of different clusters give no answer") {
  site at;
  auto x = ask(at.socket(), {"lose=node2.gnt.test"});
  CHECK(x.code == exit_failed);
  CHECK(x.out.empty());
  CHECK(x.err
        == "orderly: orderlyd at " + at.socket()
             + " keeps another cluster in order than that of the query socket: "
               "no node is in both\n");
}

TEST_CASE("a change that is none is told before anybody is asked") {
  auto x = orderly_cli("/nowhere/socket", {"plan", "--what-if", "loose=node1"});
  CHECK(x.code == exit_failed);
  CHECK(x.err.find("loose=node1") != x.err.npos);
  x = orderly_cli("/nowhere/socket", {"plan", "--what-if", "lose=node1"});
  CHECK(x.code == exit_unreachable);
  site at;
  all_is_well(at);
  x = ask(at.socket(), {"lose=node7"});
  CHECK(x.code == exit_failed);
  CHECK(x.err.find("node7") != x.err.npos);
  CHECK(x.out.empty());
}

TEST_CASE("what belongs to --what-if is refused without it") {
  for (const auto* word : {"--advise", "--link=10g", "--pools=a", "--luxi=a"})
    CHECK(parsed({"plan", word}).code == exit_usage);
  CHECK(parsed({"plan", "--what-if"}).code == exit_usage);
  CHECK(parsed({"plan", "--what-if", ""}).code == exit_usage);
  auto x = parsed({"plan", "--what-if", "lose=a", "drain=b", "--advise"});
  REQUIRE(x.line);
  CHECK(x.line->changes == std::vector<std::string>{"lose=a", "drain=b"});
  CHECK(x.line->advise);
}

} // namespace orderly::console_what_if_test
