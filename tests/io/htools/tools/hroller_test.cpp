// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// hroller against what Debian's hroller 3.0.2 printed, in data/hroller.json:
// clusters, and for each the options, both outputs and the exit code.

#include "tests/support/planning/tool_run.hpp"

#include <nlohmann/json.hpp>

namespace orderly::tools_hroller_test {

using namespace orderly::io::htools;
using nlohmann::json;

namespace {

/// n2's mirror has room for a; b's disks are on n2 alone, c goes anywhere.
const char* const small = "g|g|preferred||\n\n"
                          "n1|19000|1000|6000|90000|80000|4|M|g|8|rack:1\n"
                          "n2|9000|1000|5000|90000|80000|4|N|g|8|rack:2\n"
                          "n3|9000|1000|8000|90000|80000|4|N|g|8\n\n"
                          "a|2000|100|1|running|Y|n1|n3|drbd|\n"
                          "b|1000|100|1|running|Y|n2||plain|\n"
                          "c|2000|100|1|running|Y|n2||ext|\n\n\n";

outcome roll(const std::string& text, std::vector<std::string> words) {
  draft file{text};
  words.insert(words.end(), {"-t", file.path()});
  return outcome_of(
    [&](auto to) { return run_tool(tool::hroller, words, to); });
}

} // namespace

TEST_CASE("the exact search prints what the reference's hroller prints") {
  auto golden = json::parse(text_of("hroller.json"));
  auto runs = 0;
  for (const auto& one : golden)
    for (const auto& expected : one["runs"]) {
      auto words = expected["options"].get<std::vector<std::string>>();
      INFO(expected.dump());
      words.push_back("--search=exact");
      auto r = roll(one["text"], words);
      CHECK(r.code == expected["code"]);
      CHECK(r.out == expected["out"]);
      CHECK(r.err == expected["err"]);
      ++runs;
    }
  CHECK(runs >= 50);
}

TEST_CASE("hroller prints rounds, moves and who goes down") {
  auto r = roll(small, {"--print-moves", "-v"});
  CHECK(r.code == 0);
  CHECK(r.out
        == "2 groups; there cannot be fewer than 2 (clique 2, capacity 2).\n"
           "'Node Reboot Groups'\n"
           "n3\n"
           "n2,n1\n"
           "  c n3\n");
  CHECK(says(r.err, "Warning: b is down while n2 is, for its disks are on that "
                    "node alone\n"));
  r = roll(small, {"--one-step-only", "--no-headers", "-q"});
  CHECK(r.out == "n3\n");
  CHECK(r.err.empty());
}

TEST_CASE("a node that cannot be restarted is named, and hroller ends with 1") {
  auto text = std::string{small};
  text.replace(text.find("a|2000"), 6, "a|8000");
  auto r = roll(text, {"-q"});
  CHECK(r.code == 1);
  CHECK(r.out == "'Node Reboot Groups'\nn2,n3\n");
  CHECK(r.err
        == "Error: node n1 is in no group: a and what else comes from there to "
           "its mirror on n3 takes 8000 MiB, and 8000 are free there\n");
}

TEST_CASE("hroller prints rounds as JSON") {
  auto r = roll(small, {"--output=json", "-q"});
  auto x = json::parse(r.out);
  CHECK(x["rounds"][1]["nodes"] == json{"n2", "n1"});
  CHECK(x["rounds"][1]["down"] == json{"b"});
  CHECK(x["rounds"][1]["moves"]
        == json{{{"instance", "a"}, {"primary", "n3"}, {"secondary", "n1"}},
                {{"instance", "c"}, {"primary", "n3"}}});
  CHECK(x["stuck"] == json::array());
  CHECK(x["bound"]["clique"] == 2);
  r = roll(small, {"--output=json", "--one-step-only"});
  CHECK(json::parse(r.out)["rounds"].size() == 1);
  CHECK_FALSE(says(r.err, "is down while"));
  r = roll(small, {"--output=json", "-vv", "--search=exact"});
  x = json::parse(r.out);
  CHECK(x["rounds"].size() == 2);
  CHECK_FALSE(x.contains("bound"));
}

TEST_CASE("only nodes with a tag, in a group, or with mirrors are restarted") {
  CHECK(roll(small, {"--node-tags=rack:9,rack:2"}).out
        == "'Node Reboot Groups'\nn2\n");
  CHECK(roll(small, {"--skip-non-redundant"}).out
        == "'Node Reboot Groups'\nn3\nn1\n");
  CHECK(roll(small, {"-O", "n3", "-q"}).err
        == "Error: node n1 is in no group: a runs there, and its mirror is on "
           "n3, which is offline\n");
  auto r = roll(small, {"-G", "other"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "Error: Cannot find target group.\n"));
  r = roll(small, {"--node-tags=rack:9"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "Error: Cannot create node graph\n"));
}

TEST_CASE("hroller saves the cluster as it read it") {
  draft prefix{""};
  auto r = roll(small, {"-O", "n3", "-q", "-S", prefix.path()});
  CHECK(says(r.err, "The cluster state before hroller run has been written to "
                    "file '"));
  auto saved = read_whole(prefix.path() + ".original");
  std::filesystem::remove(prefix.path() + ".original");
  REQUIRE(saved);
  CHECK(says(*saved, "n1|19000|1000|6000|90000|80000|4|M|g"));
  CHECK(says(*saved, "n3|9000|1000|8000|90000|80000|4|N|g"));
}

TEST_CASE("hroller has help with examples, and refuses what it does not have") {
  auto run = [](std::vector<std::string> words) {
    return outcome_of(
      [&](auto to) { return run_tool(tool::hroller, words, to); });
  };
  auto r = run({"--help"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "Usage: hroller"));
  CHECK(says(r.out, "--full-evacuation"));
  CHECK(says(r.out, "\nExamples:\n  hroller -L --node-tags=needsreboot"));
  CHECK(run({"--version"}).code == 0);
  CHECK(run({"--move-cost=1"}).code == 2);
  CHECK(run({"--max-effort=0", "-t", "x"}).code == 1);
  CHECK(run({"-t", "/no/such/file"}).code == 1);
  CHECK(run({}).code == 1);
}

} // namespace orderly::tools_hroller_test
