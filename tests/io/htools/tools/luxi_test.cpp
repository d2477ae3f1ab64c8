// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The tools against a query socket. data/luxi.json holds what a real luxid
// 3.0.2 answered while one node was drained and one offline; the files beside
// it, what Debian's tools printed then.

#include "io/htools/formats/luxi_source.hpp"
#include "tests/support/planning/recorded_luxid.hpp"
#include "tests/support/planning/tool_run.hpp"

namespace orderly::tools_luxi_test {

using namespace orderly::io::htools;
using nlohmann::json;

namespace {

using change = std::function<void(json&)>;

/// `warp` may change the answers.
outcome run(
  tool of, std::vector<std::string> words, const change& warp = [](json&) {}) {
  auto answers = json::parse(text_of("luxi.json"));
  warp(answers);
  recorded_luxid luxid{answers};
  words.push_back(luxid.option());
  return outcome_of([&](auto to) { return run_tool(of, words, to); });
}

} // namespace

TEST_CASE("the tools print of a real luxid's answers what the reference does") {
  auto r = run(tool::hinfo, {"-p", "--print-instances"});
  CHECK(r.out == text_of("luxi-hinfo.txt"));
  CHECK(r.code == 0);
  r = run(tool::hbal, {"-G", "rack2", "-C", "-p", "--search=exact"});
  CHECK(r.out == text_of("luxi-hbal.txt"));
  CHECK(r.code == 0);
}

TEST_CASE("hinfo says first how much it has loaded, as the reference") {
  auto r = run(tool::hinfo, {"-v", "-v"});
  CHECK(r.out.find("Loaded cluster tags: \nLoaded 6 nodes, 17 instances, 2 "
                   "node groups\nNote: Stripping common suffix of "
                   "'.gnt.test' from names\n")
        == 0);
}

TEST_CASE("a node that is silent and not offline is named, with what to do") {
  auto r = run(tool::hcheck, {}, [](json& answers) {
    auto& row = answers.at("node").at("data").at(1);
    for (std::size_t k = 1; k < 8; ++k)
      row.at(k) = json::array({2, nullptr});
  });
  CHECK(r.code == 1);
  CHECK(r.out.empty());
  CHECK(r.err
        == "Error: failed to load data, aborting: a node of LUXI: Ganeti has "
           "no 'mtotal' of node node2.gnt.test; if it is dead, mark it offline "
           "(gnt-node modify --offline=yes), or else see why its daemon is "
           "silent\n");
}

TEST_CASE("LUXI says which node is the master") {
  auto answers = json::parse(text_of("luxi.json"));
  answers["QueryClusterInfo"]["master"] = "node2.gnt.test";
  recorded_luxid luxid{answers};
  auto c = read_luxi(luxid.path(), 0, std::chrono::seconds{10});
  REQUIRE(c);
  for (const auto& n : c->nodes)
    CHECK(n.master == (n.name == "node2.gnt.test"));
  auto master
    = [](json& x) { x["QueryClusterInfo"]["master"] = "node2.gnt.test"; };
  CHECK(run(tool::hroller, {"--search=exact"}, master).code == 0);
  auto r = run(tool::hroller, {"--search=exact"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "No master node found"));
}

TEST_CASE("the cluster of a query socket knows its master, and saves it") {
  draft base{""};
  auto saved = [&](const change& warp) {
    run(tool::hbal, {"-G", "rack2", "-S", base.path()}, warp);
    auto text = read_whole(base.path() + ".original");
    REQUIRE(text);
    return *text;
  };
  auto text = saved([](json& answers) {
    answers["QueryClusterInfo"]["master"] = "node4.gnt.test";
  });
  CHECK(says(text, "\nnode4.gnt.test|16384|1024|11725|204800|202624|2|M|"));
  CHECK(says(text, "\nnode5.gnt.test|16384|1024|10846|204800|202880|2|N|"));
  CHECK(saved([](json&) {}).find("|M|") == std::string::npos);
  for (const auto* suffix : {".original", ".balanced"})
    std::filesystem::remove(base.path() + suffix);
}

} // namespace orderly::tools_luxi_test
