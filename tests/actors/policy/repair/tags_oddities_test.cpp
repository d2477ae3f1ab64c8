// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/tag_oddities.hpp"

#include <catch2/catch.hpp>

namespace orderly::repair_tags_oddities_test {

namespace {

const std::string id = "11111111-1111-4111-8111-111111111111";

std::string of(const std::string& rest) {
  return oddity(std::string{tags::prefix} + rest);
}

} // namespace

TEST_CASE("what is wrong with a tag is said by its field") {
  struct row {
    std::string tag;
    std::string wrong;
  };

  auto pending = "pending:failover:" + id;
  auto end = "result:failover:" + id;
  for (const auto& r : std::vector<row>{
         {"", "it ends too early"},
         {"pending", "its fields are missing"},
         {"result", "its fields are missing"},
         {"pending:", "it has 1 field after pending:, not 4"},
         {pending + ":1", "it has 3 fields after pending:, not 4"},
         {pending + ":1:2:3", "it has 5 fields after pending:, not 4"},
         {end + ":1:success", "it has 4 fields after result:, not 5"},
         {"pending:repair:" + id + ":1:",
          "'repair' is no repair type (fix-storage, migrate, failover, "
          "reinstall)"},
         {pending + ":soon:", "its time 'soon' is no number of seconds"},
         {pending + "::", "its time '' is no number of seconds"},
         {pending + ":9999999999999999999:",
          "its time '9999999999999999999' is out of range"},
         {pending + ":1:-1", "'-1' in its job list is no job id"},
         {pending + ":1:5+x", "'x' in its job list is no job id"},
         {pending + ":1:18446744073709551616",
          "'18446744073709551616' in its job list is no job id"},
         {pending + ":1:5+", "a job id is missing beside a plus in its job "
                             "list"},
         {"pending:failover::1:", "its id is empty"},
         {"pending:failover:" + std::string(80, 'x') + ":1:",
          "its id of 80 bytes leaves no room for the tag that ends the repair "
          "(a tag has at most 128)"},
         {"result:failover::1:success:", "its id is empty"},
         {end + ":1:maybe:", "'maybe' is no result (success, failure, "
                             "enoperm)"},
         {"suspend:tomorrow", "its time 'tomorrow' is no number of seconds; it "
                              "counts as suspended for ever"},
         {"suspend:99999999999999999999",
          "its time '99999999999999999999' is out of range; it counts as "
          "suspended for ever"},
         {"suspend:-1",
          "its time '-1' is none; it counts as suspended for ever"},
         {"suspend:0", "its time '0' is none; it counts as suspended for ever"},
         {"suspended", "'suspended' is none of fix-storage, migrate, failover, "
                       "reinstall, suspend, pending:..., result:..."},
       }) {
    CAPTURE(r.tag);
    CHECK(of(r.tag) == r.wrong);
  }
  CHECK(oddity("ganeti:watcher:autorepair") == "it ends too early");
}

TEST_CASE("good tags and tags of others are no oddity") {
  for (const auto& rest : std::vector<std::string>{
         "fix-storage", "reinstall", "suspend", "suspend:", "suspend:1",
         "pending:failover:" + id + ":1:", "pending:failover:" + id + ":1:1+2",
         "result:failover:" + id + ":1:enoperm:"})
    CHECK(of(rest).empty());
  for (const auto* text : {"", "web", "ganeti:watcher:", "maintd:repair:x",
                           "Ganeti:watcher:autorepair:repair"})
    CHECK(oddity(text).empty());
}

TEST_CASE("a sentence names the object and shows every byte of the tag") {
  std::string tag = "ganeti:watcher:autorepair:a\\b\n\xff";
  tag += '\0';
  CHECK(oddities({"web", tag, "ganeti:watcher:autorepair:failover"},
                 "instance w\x01")
        == std::vector<std::string>{
          "tag ganeti:watcher:autorepair:a\\x5cb\\x0a\\xff\\x00 on instance "
          "w\\x01: 'a\\x5cb\\x0a\\xff\\x00' is none of fix-storage, migrate, "
          "failover, reinstall, suspend, pending:..., result:..."});
}

TEST_CASE("each byte is shown as itself or as its number") {
  for (int i = 0; i < 256; ++i) {
    CAPTURE(i);
    auto c = static_cast<char>(i);
    auto shown = printable({&c, 1});
    auto plain = i >= ' ' && i <= '~' && i != '\\';
    CHECK(shown.size() == (plain ? 1U : 4U));
    CHECK((shown[0] == (plain ? c : '\\')));
  }
  CHECK(printable("abcdef", 3) == "abc... (6 bytes)");
  CHECK(printable("abc", 3) == "abc");
}

TEST_CASE("of many malformed tags twenty are told and the rest is counted") {
  std::vector<std::string> all(20, std::string{tags::prefix} + "x");
  CHECK(oddities(all, "cluster").size() == 20);
  all.resize(10000, all.front());
  auto said = oddities(all, "cluster");
  REQUIRE(said.size() == 21);
  CHECK(said.back() == "and 9980 more on cluster");
}

TEST_CASE("a tag of a megabyte is told in a line") {
  auto tag = std::string{tags::prefix}
             + "pending:failover:x:1:" + std::string(1 << 20, '+');
  auto said = oddities({tag}, std::string(1 << 20, 'i'));
  REQUIRE(said.size() == 1);
  CHECK(said[0].size() < 700);
}

} // namespace orderly::repair_tags_oddities_test
