// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A journal that cannot be written, or was found damaged: who hears of it.

#include "tests/actors/journal/rig.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::journal_trouble_test {

namespace {

struct rig : journal_rig {
  pending<journal_ack> add(const std::string& code) {
    journal_entry e;
    e.kind = entry_kind::decision;
    e.object = "node:node1";
    e.code = code;
    return on.ask<journal_ack>(actor, append{{e}});
  }

  /// Nothing can be written any more.
  void fill_disk() {
    disk->writes.answer = [](const journal_batch&) {
      return says(journal_ack{false, "database or disk is full"});
    };
  }

  [[nodiscard]] std::string trouble() const {
    return on.ctx()->journal_trouble();
  }

  [[nodiscard]] std::string why_of(const std::string& code) const {
    auto i = std::find_if(disk->entries.begin(), disk->entries.end(),
                          [&](const auto& e) { return e.code == code; });
    return i == disk->entries.end() ? "" : i->why;
  }
};

} // namespace

TEST_CASE("a journal that cannot be written is told by the first try") {
  rig b;
  CHECK(b.trouble().empty());
  b.fill_disk();
  auto a = b.add("a");
  b.on.settle();
  CHECK(b.trouble() == "database or disk is full");
  CHECK_FALSE(a);
  b.on.run_for(minutes{5});
  CHECK(b.trouble() == "database or disk is full");
  CHECK_FALSE(a);
}

TEST_CASE("that the journal can be written again is a row of it, with how long "
          "that was") {
  rig b;
  auto works = b.disk->writes.answer;
  b.fill_disk();
  auto a = b.add("a");
  b.on.run_for(minutes{3});
  b.disk->writes.answer = works;
  b.on.run_for(minutes{1});
  REQUIRE(a);
  CHECK(a->durable);
  CHECK(b.trouble().empty());
  CHECK(b.disk->count("journal-stuck") == 1);
  auto why = b.why_of("journal-stuck");
  CHECK_THAT(why, Catch::StartsWith("for 18")); // 3 minutes and a bit
  CHECK_THAT(why, Catch::Contains("database or disk is full"));
}

TEST_CASE("a trouble that is over at once is no alert") {
  rig b;
  auto works = b.disk->writes.answer;
  b.fill_disk();
  auto a = b.add("a");
  b.on.run_for(millis{500});
  b.disk->writes.answer = works;
  b.on.run_for(minutes{1});
  REQUIRE(a);
  CHECK(b.trouble().empty());
  CHECK(b.disk->count("journal-stuck") == 0);
}

TEST_CASE("a disk that does not answer is the same trouble") {
  rig b;
  auto works = b.disk->writes.answer;
  b.disk->writes.answer
    = [](const journal_batch&) { return reply<journal_ack>{}; };
  b.add("a");
  b.on.run_for(minutes{1});
  CHECK_THAT(b.trouble(), Catch::Contains("did not answer in time"));
  b.disk->writes.answer = works;
  b.on.run_for(minutes{1});
  CHECK(b.trouble().empty());
}

TEST_CASE(
  "a journal actor that rises in the trouble finds out its end itself") {
  rig b;
  auto works = b.disk->writes.answer;
  b.fill_disk();
  b.add("a");
  b.on.run_for(minutes{1});
  b.on.kill(b.actor);
  b.start();
  b.on.run_for(minutes{1});
  CHECK_FALSE(b.trouble().empty());
  b.disk->writes.answer = works;
  b.on.run_for(minutes{1});
  CHECK(b.trouble().empty());
  CHECK(b.disk->count("journal-stuck") == 1);
}

TEST_CASE(
  "a journal that cannot be read at a start is told for as long as that "
  "lasts, and then a row of it") {
  rig b;
  b.on.kill(b.actor);
  auto works = b.disk->reads.answer;
  b.disk->reads.answer = [](const journal_read&) {
    journal_contents none;
    none.text = "database or disk is full";
    none.passing = true;
    return says(std::move(none));
  };
  b.start();
  auto a = b.add("a");
  b.on.run_for(minutes{3});
  CHECK(b.trouble() == "database or disk is full");
  CHECK_FALSE(a);
  b.disk->reads.answer = works;
  b.on.run_for(minutes{1});
  REQUIRE(a);
  CHECK(a->durable);
  CHECK(b.trouble().empty());
  CHECK(b.disk->count("journal-stuck") == 1);
  CHECK_THAT(b.why_of("journal-stuck"), Catch::StartsWith("for 18"));
}

TEST_CASE("damage that was found at the start is an alert, and told to who "
          "asks") {
  rig b;
  b.on.kill(b.actor);
  auto whole = b.disk->reads.answer;
  auto since = b.on.now();
  b.disk->reads.answer = [&](const journal_read&) {
    auto found = b.disk->contents();
    found.damaged = since;
    found.damage = "the journal was damaged: 3 rows were not as written";
    return says(found);
  };
  b.start();
  b.on.run_for(seconds{1});
  CHECK(b.why_of("journal-damaged")
        == "the journal was damaged: 3 rows were not as written");
  auto kept = b.on.ask<recalled>(b.actor, recall{"scheduler", true});
  REQUIRE(kept);
  CHECK(kept->damaged == since);
}

} // namespace orderly::journal_trouble_test
