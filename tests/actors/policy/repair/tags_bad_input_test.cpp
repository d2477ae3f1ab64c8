// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Bad tags and odd names on their way through the autorepair machine:
// never fatal, never acted upon, never changed.

#include "actors/policy/repair/tag_oddities.hpp"
#include "tests/actors/policy/repair/lab.hpp"

#include <set>

namespace orderly::repair_tags_bad_input_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

/// A text for each way to get a tag wrong, and some that are hardly ours.
texts malformed() {
  texts result;
  for (const auto& rest : texts{
         "",
         "repair",
         "FAILOVER",
         "failover:",
         "failover ",
         "fix_storage",
         "suspended",
         "suspend+1",
         "pending",
         "pending:",
         "result",
         "result:",
         "pending:failover:" + id1 + ":1600000000",
         "pending:failover:" + id1 + ":1600000000:1:2",
         "pending:repair:" + id1 + ":1600000000:",
         "pending:failover:" + id1 + ":soon:",
         "pending:failover:" + id1 + "::",
         "pending:failover:" + id1 + ":99999999999999999999:",
         "pending:failover:" + id1 + ":1600000000.5:",
         "pending:failover:" + id1 + ":1600000000:-1",
         "pending:failover:" + id1 + ":1600000000:1+",
         "pending:failover:" + id1 + ":1600000000:one",
         "pending:failover:" + id1 + ":1600000000:99999999999999999999",
         "pending:failover::1600000000:",
         "pending:failover:" + std::string(100, 'x') + ":1600000000:",
         "result:failover:" + id1 + ":1600000000:fail:1",
         "result:failover:" + id1 + ":1600000000:failure",
         "result:failover:" + id1 + ":soon:failure:1",
         "result:repair:" + id1 + ":1600000000:failure:1",
         "result:failover:" + id1 + ":1600000000:failure:-1",
         "result:failover:" + id1 + ":1600000000:enoperm:1:2",
       })
    result.push_back(tagged(rest));
  result.push_back("ganeti:watcher:autorepair");
  return result;
}

bool holds_all(const texts& some, const texts& all) {
  std::multiset<std::string> there{some.begin(), some.end()};
  return std::all_of(all.begin(), all.end(),
                     [&](const std::string& x) { return there.count(x) == 1; });
}

} // namespace

TEST_CASE("each of the malformed tags is reported") {
  for (const auto& tag : malformed()) {
    CAPTURE(tag);
    CHECK_FALSE(oddity(tag).empty());
  }
}

TEST_CASE("a malformed tag on the instance is as good as none, and stays") {
  auto own = GENERATE(from_range(malformed()));
  CAPTURE(own);
  auto b = broken();
  b.record.tags = {"before", own, "after"};
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(holds_all(b.record.tags, {"before", own, "after"}));
  CHECK(b.machine.phase == phase::healthy);
}

TEST_CASE("malformed tags permit nothing, wherever they are") {
  auto where = GENERATE(0, 1, 2);
  rig b;
  b.kill("n1");
  auto& tags = where == 0   ? b.record.tags
               : where == 1 ? b.group_tags
                            : b.cluster_tags;
  tags = malformed();
  auto before = tags;
  b.run();
  CHECK(b.intents.empty());
  CHECK(tags == before);
  CHECK(b.record.primary == "n1");
}

TEST_CASE("a suspension whose time is no number holds, wherever it is") {
  auto time = GENERATE(as<std::string>{}, "tomorrow", "1:2", "1.5", "+1", " ",
                       "99999999999999999999", "\xff");
  auto where = GENERATE(0, 1, 2);
  CAPTURE(time, where);
  rig b;
  b.kill("n1");
  auto& tags = where == 0   ? b.record.tags
               : where == 1 ? b.group_tags
                            : b.cluster_tags;
  tags = {tagged("failover"), tagged("suspend:" + time)};
  auto before = tags;
  b.run();
  CHECK(b.intents.empty());
  CHECK(tags == before);
  CHECK(says(b.shown().permission, "suspended for ever by tag"));
  CHECK(says(b.shown().permission, "its time is none"));
}

TEST_CASE("names and tags of every byte are carried through a repair") {
  for (int i = 0; i < 256; ++i) {
    CAPTURE(i);
    auto c = static_cast<char>(i);
    auto b = broken();
    b.record.name = std::string{"a"} + c + "b";
    b.record.tags = {std::string{c}, std::string{"x"} + c,
                     tagged(std::string{"failover"} + c)};
    auto before = b.record.tags;
    b.run();
    CHECK(b.record.primary == "n2");
    CHECK(holds_all(b.record.tags, before));
    for (const auto& sentence :
         oddities(b.record.tags, "instance " + b.record.name))
      CHECK(std::all_of(sentence.begin(), sentence.end(),
                        [](char x) { return x >= ' ' && x <= '~'; }));
  }
}

TEST_CASE("the id of a foreign pending tag may hold any byte but the colon") {
  for (int i = 0; i < 256; ++i) {
    auto c = static_cast<char>(i);
    if (c == ':')
      continue;
    CAPTURE(i);
    rig b;
    b.kill("n1");
    auto id = std::string{"x"} + c;
    b.record.tags = {tagged("pending:failover:" + id + ":1600000000:")};
    b.run();
    CHECK(b.record.primary == "n2");
    REQUIRE(b.tags_now().size() == 1);
    CHECK(b.tags_now()[0].rfind("result:failover:" + id + ":", 0) == 0);
  }
}

TEST_CASE("10,000 malformed and foreign tags change nothing") {
  auto b = broken();
  auto wrong = malformed();
  for (int i = 0; i < 10000; ++i)
    b.record.tags.push_back(
      i % 2 == 0 ? "foreign" + std::to_string(i)
                 : wrong[static_cast<std::size_t>(i) % wrong.size()] + ":"
                     + std::to_string(i) + "-");
  auto before = b.record.tags;
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(holds_all(b.record.tags, before));
  CHECK(oddities(b.record.tags, "instance i1").size() == oddities_max + 1);
}

TEST_CASE("10,000 suspensions that are over go in jobs of a bounded size") {
  rig b;
  for (int i = 1; i <= 10000; ++i)
    b.record.tags.push_back(tagged("suspend:" + std::to_string(i)));
  b.run();
  CHECK(b.record.tags.empty());
  CHECK(b.intents.size() == 20);
}

TEST_CASE("10,000 pending tags on one instance are a long queue, no crash") {
  rig b;
  b.kill("n1");
  for (int i = 0; i < 10000; ++i)
    b.record.tags.push_back(
      tagged("pending:failover:x" + std::to_string(i) + ":1600000000:"));
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(b.repairs.size() == 2); // the failover, and a new mirror
}

TEST_CASE("one failure tag among 10,000 others freezes the instance") {
  auto b = broken();
  for (int i = 0; i < 10000; ++i)
    b.record.tags.push_back(
      tagged("result:failover:x" + std::to_string(i) + ":1600000000:success:"));
  b.record.tags[7000] = tagged("result:failover:x:1600000000:failure:");
  auto before = b.record.tags;
  b.run();
  CHECK(b.record.tags == before);
  CHECK(b.machine.phase == phase::failed);
}

} // namespace orderly::repair_tags_bad_input_test
