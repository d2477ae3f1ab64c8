// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// hwhatif from its words to its answer: exit codes, sentences, and JSON with
// the same facts.

#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace orderly::hwhatif_test {

using namespace orderly::io::htools;

namespace {

/// Two groups; in g a shared, a mirrored and a plain instance.
const char* const two_groups
  = "g|u|preferred||\n"
    "h|v|preferred||\n\n"
    "n1.x.y|8192|512|4608|100000|96928|4|M|u|1||N|0|1|1.0\n"
    "n2.x.y|8192|512|7680|100000|98976|4|N|u|1||N|0|1|1.0\n"
    "n3.x.y|8192|512|7680|100000|100000|4|N|u|1||N|0|1|1.0\n"
    "n4.x.y|8192|512|7680|100000|100000|4|N|v|1||N|0|1|1.0\n"
    "n5.x.y|8192|512|7680|100000|100000|4|N|v|1||N|0|1|1.0\n\n"
    "i1.x.y|1024|1024|1|running|Y|n1.x.y||ext||1\n"
    "i2.x.y|1024|1024|1|running|Y|n1.x.y|n2.x.y|drbd||1\n"
    "i3.x.y|1024|2048|1|running|Y|n1.x.y||plain||1\n\n\n"
    "|1024,1,1024,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|ext,drbd,"
    "plain|4.0|32.0\n"
    "g|1024,1,1024,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|ext,drbd,"
    "plain|4.0|32.0\n"
    "h|1024,1,1024,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|ext,drbd,"
    "plain|4.0|32.0\n";

outcome ask(std::vector<std::string> words) {
  draft file{two_groups};
  words.insert(words.begin(), {"-t", file.path()});
  return outcome_of(
    [&](auto to) { return run_tool(tool::hwhatif, words, to); });
}

nlohmann::json json_of(std::vector<std::string> words, int code) {
  words.push_back("--output=json");
  auto r = ask(words);
  INFO(r.out << r.err);
  CHECK(r.code == code);
  return nlohmann::json::parse(r.out);
}

} // namespace

TEST_CASE("hwhatif ends with 0, 10 or 11 by what it says") {
  auto r = ask({"lose=n5"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "What if lose=n5?\nIt is well: nothing need be moved.\n"));
  CHECK(r.err.empty());
  r = ask({"lose=n2"});
  CHECK(r.code == 10);
  CHECK(says(r.out, "It is well after 1 move.\n"));
  CHECK(says(r.out, "    1. i2 n1:n2 => n1:n3\n"));
  CHECK(says(r.out, "Moves: 1; 1.0 GiB to copy, at least 9 s with a link of 1g "
                    "a node\n"));
  r = ask({"lose=n1.x.y", "-q"});
  CHECK(r.code == 11);
  CHECK(says(r.out, "Lost: i3, of which no copy lives (plain on n1)\n"));
  CHECK_FALSE(says(r.out, "    1. "));
  r = ask({"drain=n1"});
  CHECK(r.code == 11);
  CHECK(says(r.out, "Stuck: i3 on n1: its disks (plain) are on n1.x.y alone"));
}

TEST_CASE("JSON has the facts of the sentences") {
  auto x = json_of({"lose=n2", "add=1*like:n3", "--link=100m"}, 10);
  CHECK(x["verdict"] == "after_moves");
  CHECK(x["changes"] == nlohmann::json({"add=1*like:n3", "lose=n2"}));
  CHECK(x["moves"].size() == 1);
  CHECK(x["moves"][0]["instance"] == "i2.x.y");
  CHECK(x["copied_mib"] == 1024);
  CHECK(x["least_seconds"].get<double>() == Approx(85.9).epsilon(0.01));
  CHECK(x["added"][0]["node"] == "new-node-1");
  CHECK(x["groups"][0]["before"]["nodes"] == 3);
  CHECK(x["groups"][0]["after"]["well"] == true);
  CHECK(x["groups"][0]["after"]["standard_instances"] > 0);
  x = json_of({"lose=n1"}, 11);
  CHECK(x["verdict"] == "not_well");
  CHECK(x["lost"][0]["instance"] == "i3.x.y");
  x = json_of({"drain=n1"}, 11);
  CHECK(x["stuck"][0]["kind"] == "own_disks");
  x = json_of({"grow=3*1g,1g,1,drbd@h"}, 0);
  CHECK(x["created"].size() == 3);
  x = json_of({"grow=2*100g,1g,1,ext@h"}, 11);
  CHECK(x["unplaced"][0]["count"] == 2);
  CHECK(x["unplaced"][0]["group"] == "h");
}

TEST_CASE("--advise says what to buy, in both ways of printing") {
  auto words = std::vector<std::string>{"grow=9*2g,1g,1,ext@h", "--advise"};
  auto r = ask(words);
  CHECK(r.code == 11);
  CHECK(says(r.out, "Advice: 2 nodes more like n4 in h\n"));
  CHECK(says(r.out, "GiB more memory on each node of h\n"));
  auto x = json_of(words, 11);
  CHECK(x["advice"]["needed"] == true);
  CHECK(x["advice"]["nodes"][0]["count"] == 2);
  CHECK(x["advice"]["nodes"][0]["like"] == "n4.x.y");
  CHECK(x["advice"]["memory"][0]["each_mib"].get<int>() % 1024 == 0);
  CHECK(json_of({"lose=n5"}, 0)["advice"].is_null());
  CHECK(json_of({"lose=n5", "--advise"}, 0)["advice"]["needed"] == false);
  CHECK(says(ask({"lose=n5", "--advise"}).out, "nothing need be bought"));
  CHECK(says(ask({"lose=n1", "--advise"}).out,
             "nothing that could be bought helps what is lost or stuck"));
}

TEST_CASE("an emptied group takes no standard instance any more") {
  auto x = json_of({"empty=h"}, 0);
  CHECK(x["groups"][1]["before"]["standard_instances"] > 0);
  CHECK(x["groups"][1]["after"]["standard_instances"] == 0);
  CHECK(json_of({"empty=g"}, 11)["moves"].size() > 1);
}

TEST_CASE("the same words in another order are answered alike") {
  auto a = ask({"lose=n2", "drain=n5", "grow=2*1g,1g,1,ext"});
  auto b = ask({"grow=2*1g,1g,1,ext", "drain=n5", "lose=n2"});
  CHECK(a.out == b.out);
  CHECK(a.code == b.code);
}

TEST_CASE("bad input ends with 1 and a sentence, and no half of an answer") {
  for (const auto* word :
       {"lose=n9", "lose=group:z", "lose=group:g,group:h", "add=-1*like:n1",
        "empty=g,h", "grow=1*1g,1g,1,ext:external/nas9", "what"}) {
    auto r = ask({word});
    INFO(word);
    CHECK(r.code == 1);
    CHECK(r.out.empty());
    CHECK(says(r.err, "Error: "));
  }
  CHECK(says(ask({"lose=n9"}).err, "no node 'n9'"));
}

TEST_CASE("hwhatif has the options of the other tools, and ends as they do") {
  auto run = [](const std::string& word) {
    return outcome_of(
      [&](auto to) { return run_tool(tool::hwhatif, {word}, to); });
  };
  CHECK(run("--version").code == 0);
  CHECK(says(run("--help").out, "Usage: hwhatif [OPTION...] [CHANGE...]\n"));
  CHECK(says(run("--help-completion").out, "--link string\n"));
  CHECK(run("--bogus").code == 2);
  for (const auto* link : {"1", "g", "0g", "-1g", "1x", "nang"}) {
    auto r = ask({std::string{"--link="} + link});
    CHECK(r.code == 1);
    CHECK(says(r.err, "is no speed like 1g"));
  }
}

} // namespace orderly::hwhatif_test
