// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is kept under a key is told by the calendar of now.

#include "actors/journal/kept_states.hpp"

#include <catch2/catch.hpp>

namespace orderly::kept_states_test {

namespace {

const instant noon = from_ms(1'767'268'800'000);

/// A disk over several lives.
struct rig {
  std::map<std::string, fields> disk;
  kept_states states;

  void start(const std::string& calendar, instant now, instant last = never) {
    states = {};
    states.load(disk, calendar, now, last);
  }

  void write(const std::string& calendar, const std::string& key, instant at) {
    journal_entry e;
    e.object = key;
    e.state.emplace().put("at", at);
    kept_states::stamp(e, calendar);
    journal_entry row;
    if (states.take_news(calendar, row))
      land(row);
    land(e);
  }

  void land(const journal_entry& e) {
    states.keep(e);
    disk.insert_or_assign(e.state_key.empty() ? e.object : e.state_key,
                          *e.state);
  }

  recalled tell() const {
    recalled result;
    states.tell_all(result, "job:");
    return result;
  }
};

} // namespace

TEST_CASE("what an earlier life of the daemon dated is told by the calendar of "
          "now") {
  rig b;
  b.start("boot-1/0", noon);
  b.write("boot-1/0", "job:a", noon);
  b.start("boot-1/-60000", noon, noon);
  auto told = b.tell();
  CHECK(told.states.at("job:a").when("at") == noon - minutes{1});
  CHECK(told.states.at("job:a").all().size() == 1); // as it was given
  CHECK(told.undated.empty());
}

TEST_CASE(
  "dates of before the machine was started keep their order and are not "
  "later than now") {
  rig b;
  b.start("boot-1/0", noon);
  b.write("boot-1/0", "job:a", noon);
  // An hour back, and ten minutes later.
  b.write("boot-1/-3600000", "job:b", noon - minutes{50});
  // The machine comes up with a calendar that is another two hours back.
  b.start("boot-2/0", noon - hours{3}, noon - minutes{50});
  b.write("boot-2/0", "job:c", noon - hours{3});
  auto told = b.tell();
  // No machine starts in less than 20 s.
  auto before = noon - hours{3} - seconds{20};
  CHECK(told.states.at("job:a").when("at") == before - minutes{10});
  CHECK(told.states.at("job:b").when("at") == before);
  CHECK(told.states.at("job:c").when("at") == noon - hours{3});
  CHECK(told.undated == std::set<std::string>{"job:a", "job:b"});
  CHECK(told.aged == told.undated);
  SECTION("also after the next life") {
    b.start("boot-2/0", noon, noon - hours{3});
    CHECK(b.tell().states == told.states);
    CHECK(b.tell().undated == told.undated);
    CHECK(b.tell().aged == told.aged);
  }
}

TEST_CASE("what nobody dated is told as it was given") {
  rig b;
  b.disk["job:a"].put("at", noon + hours{1});
  b.start("boot-1/0", noon, noon);
  CHECK(b.tell().states.at("job:a").when("at") == noon + hours{1});
  CHECK(b.tell().undated.count("job:a") == 1);
  CHECK(b.tell().aged.empty());
}

TEST_CASE("the calendars are written once, and again when one was set") {
  rig b;
  journal_entry row;
  b.start("boot-1/0", noon);
  CHECK(b.states.take_news("boot-1/0", row));
  CHECK_FALSE(b.states.take_news("boot-1/0", row));
  CHECK_FALSE(b.states.take_news("boot-1/400", row)); // slewed
  CHECK(b.states.take_news("boot-1/5000", row));
  b.land(row);
  b.start("boot-1/5000", noon);
  CHECK_FALSE(b.states.take_news("boot-1/5000", row));
  SECTION("not where nobody knows one") {
    b.start("", noon);
    CHECK_FALSE(b.states.take_news("", row));
  }
  SECTION("nobody else sees them") {
    recalled all;
    b.states.tell_all(all, "");
    CHECK(all.states.empty());
  }
}

} // namespace orderly::kept_states_test
