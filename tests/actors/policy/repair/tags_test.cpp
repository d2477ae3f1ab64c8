// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/tags.hpp"

#include <catch2/catch.hpp>

#include <random>

namespace orderly::repair_tags_test {

using namespace orderly::tags;

namespace {

const std::string id = "11111111-1111-4111-8111-111111111111";

std::string tagged(const std::string& rest) {
  return std::string{prefix} + rest;
}

template <class T>
T parsed(const std::string& rest) {
  auto x = parse(tagged(rest));
  REQUIRE(x);
  REQUIRE(std::holds_alternative<T>(*x));
  return std::get<T>(*x);
}

} // namespace

TEST_CASE("each form of the grammar parses into its parts") {
  CHECK(parsed<policy>("fix-storage").type == repair_type::fix_storage);
  CHECK(parsed<policy>("reinstall").type == repair_type::reinstall);
  auto p = parsed<pending>("pending:failover:" + id + ":1700000000:7+8");
  CHECK(p.type == repair_type::failover);
  CHECK(p.id == id);
  CHECK(to_unix(p.at) == 1700000000);
  CHECK(p.jobs == std::vector<job_id>{7, 8});
  auto r = parsed<result>("result:migrate:" + id + ":1700000000:enoperm:");
  CHECK(r.outcome == repair_result::enoperm);
  CHECK(r.jobs.empty());
}

TEST_CASE("a suspension without time, with or without colon, is for ever") {
  CHECK_FALSE(parsed<suspend>("suspend").until);
  CHECK_FALSE(parsed<suspend>("suspend:").until);
  CHECK_FALSE(parsed<suspend>("suspend").malformed);
  CHECK(parsed<suspend>("suspend:1700000000").until
        == instant{seconds{1700000000}});
}

TEST_CASE("a suspension with a time that is no number holds for ever") {
  for (const auto* text :
       {"suspend:tomorrow", "suspend:17000000.5", "suspend:1:2", "suspend: ",
        "suspend:+1", "suspend:1700000000:", "suspend:99999999999999999999"}) {
    CAPTURE(text);
    auto s = parsed<suspend>(text);
    CHECK(s.malformed);
    CHECK_FALSE(s.until);
  }
}

TEST_CASE("a tag that fails in any field is not an auto-repair tag") {
  for (const auto& rest : std::vector<std::string>{
         "",
         "failover:",
         "Failover",
         "pending",
         "pending:",
         "suspended",
         "pending:failover:" + id + ":1700000000",
         "pending:failover:" + id + ":1700000000:1:2",
         "pending:repair:" + id + ":1700000000:",
         "pending:failover:" + id + ":soon:",
         "pending:failover:" + id + ":1700000000:-1",
         "pending:failover:" + id + ":1700000000:1++2",
         "pending:failover:" + id + ":1700000000:1+",
         "pending:failover:" + id + ":1700000000:+",
         "pending:failover:" + id + ":1700000000:+1",
         "pending:failover:" + id + ":1700000000:0x1",
         "pending:failover:" + id + ":1700000000: 1",
         "pending:failover:" + id + ":1700000000:18446744073709551616",
         "pending:failover:" + id + ":+1700000000:",
         "pending:failover:" + id + ":1700000000.5:",
         "pending:failover:" + id + "::",
         "result:failover:" + id + ":1700000000::1",
         "pending:failover:" + id + ":9999999999999999999:",
         "result:failover:" + id + ":1700000000:maybe:1",
         "result:failover:" + id + ":1700000000:success",
       }) {
    CAPTURE(rest);
    CHECK_FALSE(parse(tagged(rest)));
  }
}

TEST_CASE("tags of others never parse") {
  for (const auto* text :
       {"", "failover", "web", "ganeti:watcher:autorepair",
        "ganeti:watcher:", "xganeti:watcher:autorepair:failover",
        "maintd:ready:1", "GANETI:watcher:autorepair:failover"})
    CHECK_FALSE(parse(text));
}

TEST_CASE("a job list that does not fit keeps the first and the last jobs") {
  pending p{repair_type::failover, id, instant{seconds{1700000000}}, {}};
  for (job_id i = 0; i < 20; ++i)
    p.jobs.push_back(10000000 + i);
  auto text = format(p);
  CHECK(text.size() <= length_max);
  auto back = parse(text);
  REQUIRE(back);
  auto jobs = std::get<pending>(*back).jobs;
  REQUIRE(jobs.size() == 4);
  CHECK(jobs.front() == 10000000);
  CHECK(jobs[1] == 10000017);
  CHECK(jobs.back() == 10000019);
}

TEST_CASE("of a job list that has room for one only the last is written, of "
          "one that has room for none nothing") {
  constexpr job_id longest = 18446744073709551615U; // 20 digits
  instant at{seconds{1700000000}};
  // PREFIX pending:migrate: 61 : 1700000000: leaves 13 characters.
  pending p{repair_type::migrate, std::string(61, 'x'), at, {}};
  auto jobs_of = [&](std::vector<job_id> jobs) {
    p.jobs = std::move(jobs);
    auto text = format(p);
    CHECK(text.size() <= length_max);
    return text.substr(text.rfind(':') + 1);
  };
  REQUIRE(format(p).size() == length_max - 13);
  CHECK(jobs_of({}).empty());
  CHECK(jobs_of({longest}).empty());
  CHECK(jobs_of({longest, longest, longest}).empty());
  CHECK(jobs_of({longest, 7}) == "7");
  CHECK(jobs_of({7, longest}) == "7");
  CHECK(jobs_of({1, 2, longest}) == "1");
  CHECK(jobs_of({12345678, 23456789}) == "23456789");
  CHECK(jobs_of({1234567890123}) == "1234567890123");
  CHECK(jobs_of({123456, 654321}) == "123456+654321");
  CHECK(jobs_of({123456, 9, 654321}) == "123456+654321");
  CHECK(jobs_of({1, 2, 3, 4, 5, 6, 7, 8}) == "1+3+4+5+6+7+8");
}

TEST_CASE("the room for jobs is what the specification counts") {
  instant at{seconds{1700000000}};
  auto room = [&](const tag& x) { return length_max - format(x).size(); };
  CHECK(room(pending{repair_type::fix_storage, id, at, {}}) == 34);
  CHECK(room(pending{repair_type::migrate, id, at, {}}) == 38);
  CHECK(room(pending{repair_type::failover, id, at, {}}) == 37);
  CHECK(room(pending{repair_type::reinstall, id, at, {}}) == 36);
  for (auto end : {repair_result::success, repair_result::failure,
                   repair_result::enoperm}) {
    CHECK(room(result{repair_type::fix_storage, id, at, end, {}}) == 27);
    CHECK(room(result{repair_type::migrate, id, at, end, {}}) == 31);
    CHECK(room(result{repair_type::failover, id, at, end, {}}) == 30);
    CHECK(room(result{repair_type::reinstall, id, at, end, {}}) == 29);
  }
}

TEST_CASE("an id has room for the result of its repair, or it has not") {
  instant at{seconds{1700000000}};
  auto fits = [&](std::size_t size) {
    return has_room_for_result(
      {repair_type::failover, std::string(size, 'x'), at, {1, 2, 3}});
  };
  CHECK_FALSE(fits(0));
  CHECK(fits(1));
  CHECK(fits(66));
  CHECK_FALSE(fits(67));
}

TEST_CASE("an id is any text without a colon, a job id any 64 bit number") {
  auto p = parsed<pending>("pending:failover:\xff +/\n:1:18446744073709551615");
  CHECK(p.id == "\xff +/\n");
  CHECK(p.jobs == std::vector<job_id>{18446744073709551615U});
  CHECK(parsed<pending>("pending:failover::1:").id.empty());
  CHECK(parsed<pending>("pending:failover:x:007:009").jobs
        == std::vector<job_id>{9});
  CHECK(to_unix(parsed<pending>("pending:failover:x:-5:").at) == -5);
}

TEST_CASE("sub-second parts of a time are dropped when a tag is written") {
  suspend s{instant{millis{1700000000999}}, false};
  CHECK(format(s) == tagged("suspend:1700000000"));
}

TEST_CASE("random tags survive being written and read") {
  std::mt19937_64 dice{1};
  auto roll = [&](std::uint64_t n) { return dice() % n; };
  std::size_t shortened = 0;
  for (int i = 0; i < 20000; ++i) {
    auto type = static_cast<repair_type>(roll(4));
    auto at = instant{seconds{static_cast<std::int64_t>(roll(4000000000))}};
    std::vector<job_id> jobs;
    for (auto n = roll(6); n > 0; --n)
      jobs.push_back(roll(2) == 0 ? roll(100) : roll(100000000));
    std::string name;
    for (auto n = 1 + roll(40); n > 0; --n)
      name += "abcdefghij0123456789-_."[roll(23)];
    tag x = policy{type};
    if (roll(2) == 0)
      x = pending{type, name, at, jobs};
    else if (roll(2) == 0)
      x = result{type, name, at, static_cast<repair_result>(roll(3)), jobs};
    else if (roll(2) == 0)
      x = suspend{at, false};
    auto text = format(x);
    REQUIRE(text.size() <= length_max);
    auto back = parse(text);
    REQUIRE(back);
    REQUIRE(format(*back) == text);
    if (*back != x) {
      // Only a job list may have lost something.
      ++shortened;
      if (auto* p = std::get_if<pending>(&*back))
        p->jobs = jobs;
      if (auto* p = std::get_if<result>(&*back))
        p->jobs = jobs;
      REQUIRE(*back == x);
    }
  }
  CHECK(shortened > 0);
}

} // namespace orderly::repair_tags_test
