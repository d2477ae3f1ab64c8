// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace orderly::all_groups_test {

using namespace orderly::io::htools;
using nlohmann::json;

namespace {

/// An allocation on the cluster of data/hail.json, after `change` to it.
template <class Change>
json message_with(Change change) {
  auto golden = json::parse(text_of("hail.json"));
  auto message = golden["message"];
  message["request"] = golden["requests"][0]["request"];
  change(message);
  return message;
}

json asked(const json& message, std::vector<std::string> words) {
  draft file{message.dump()};
  words.push_back(file.path());
  return json::parse(run_as_reference(tool::hail, words).out);
}

json listed(const json& message) {
  return asked(message, {"--all-groups"})["groups"];
}

void nothing(json&) {
  // the cluster as it is
}

} // namespace

TEST_CASE("--all-groups adds a key and changes nothing else") {
  auto message = message_with(nothing);
  auto plain = asked(message, {});
  CHECK_FALSE(plain.contains("groups"));
  auto more = asked(message, {"--all-groups"});
  REQUIRE(more.contains("groups"));
  more.erase("groups");
  CHECK(more == plain);
}

TEST_CASE("groups are listed by policy before score, the chosen one first") {
  auto message = message_with(nothing);
  auto all = listed(message);
  REQUIRE(all.size() == 2);
  CHECK(all[0]["group"] == "g1");
  CHECK(all[0]["policy"] == "preferred");
  CHECK(all[0]["nodes"] == json({"n4", "n3"}));
  CHECK(all[0]["score"].get<double>() == Approx(3.43907724));
  CHECK(all[1]["policy"] == "last_resort");
  CHECK(all[1]["nodes"].size() == 2);
  // An unallocable group comes last, however good its score.
  all = listed(message_with(
    [](json& m) { m["nodegroups"]["u1"]["alloc_policy"] = "unallocable"; }));
  CHECK(all[0]["group"] == "g2");
  CHECK(all[1]["policy"] == "unallocable");
  CHECK(all[1]["nodes"].size() == 2);
  // Of one policy the better score comes first.
  all = listed(message_with(
    [](json& m) { m["nodegroups"]["u2"]["alloc_policy"] = "preferred"; }));
  CHECK(all[0]["score"].get<double>() < all[1]["score"].get<double>());
}

TEST_CASE("a group without a place says why, one without the storage is out") {
  auto all
    = listed(message_with([](json& m) { m["request"]["memory"] = 30'000; }));
  REQUIRE(all.size() == 2);
  for (const auto& g : all) {
    CHECK(g.contains("nodes") != g.contains("why"));
    if (g.contains("why"))
      CHECK(says(g["why"].get<std::string>(), "FailMem"));
  }
  CHECK(std::any_of(all.begin(), all.end(),
                    [](const json& g) { return g.contains("why"); }));
  all = listed(message_with([](json& m) {
    m["nodegroups"]["u2"]["ipolicy"]["disk-templates"] = {"ext"};
  }));
  REQUIRE(all.size() == 1);
  CHECK(all[0]["group"] == "g1");
}

TEST_CASE("all groups are listed although the request asks for one") {
  auto answer
    = asked(message_with([](json& m) { m["request"]["group_name"] = "g2"; }),
            {"--all-groups"});
  CHECK(answer["success"] == true);
  CHECK(answer["groups"].size() == 2);
}

TEST_CASE("the row of the group that is asked for is the answer's") {
  // The other group is not N+1, which is nothing to the one that is named.
  for (const char* named : {"g1", "g2"}) {
    auto message = message_with([&](json& m) {
      m["request"]["group_name"] = named;
      for (auto& [name, node] : m["nodes"].items())
        if ((node["group"] == "u1") != (std::string{named} == "g1"))
          node["free_memory"] = 1;
    });
    auto answer = asked(message, {"--all-groups"});
    INFO(answer.dump());
    REQUIRE(answer["success"] == true);
    REQUIRE(answer["groups"].size() == 2);
    for (const auto& g : answer["groups"])
      if (g["group"] == named)
        CHECK(g.value("nodes", json{}) == answer["result"]);
  }
}

} // namespace orderly::all_groups_test
