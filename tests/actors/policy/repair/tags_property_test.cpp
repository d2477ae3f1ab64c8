// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds for every tag and every text, drawn by rapidcheck. A failing
// case is shrunk and printed.

#include "actors/policy/repair/tag_oddities.hpp"
#include "tests/support/property.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::repair_tags_property_test {

using namespace orderly::tags;

namespace {

const std::string ids_letters = "abcdefABCDEF0123456789-_./@*+";

rc::Gen<std::string> some_id() {
  return rc::gen::resize(70, rc::gen::nonEmpty(rc::gen::container<std::string>(
                               rc::gen::elementOf(ids_letters))));
}

rc::Gen<instant> some_time() {
  return rc::gen::map(rc::gen::inRange<std::int64_t>(-4000, 9999999999),
                      [](std::int64_t at) { return instant{seconds{at}}; });
}

rc::Gen<std::vector<job_id>> some_jobs() {
  auto any = rc::gen::oneOf(rc::gen::inRange<job_id>(0, 200),
                            rc::gen::inRange<job_id>(10000000, 99999999),
                            rc::gen::arbitrary<job_id>());
  return rc::gen::resize(12, rc::gen::container<std::vector<job_id>>(any));
}

rc::Gen<repair_type> some_type() {
  return rc::gen::element(repair_type::fix_storage, repair_type::migrate,
                          repair_type::failover, repair_type::reinstall);
}

rc::Gen<tag> some_tag() {
  auto outcome = rc::gen::element(
    repair_result::success, repair_result::failure, repair_result::enoperm);
  return rc::gen::oneOf(
    rc::gen::map(some_type(), [](repair_type x) { return tag{policy{x}}; }),
    rc::gen::map(some_time(),
                 [](instant x) {
                   return tag{suspend{std::max(x, instant{seconds{1}}), false}};
                 }),
    rc::gen::just(tag{suspend{}}),
    rc::gen::map(
      rc::gen::tuple(some_type(), some_id(), some_time(), some_jobs()),
      [](const auto& x) { return tag{std::make_from_tuple<pending>(x)}; }),
    rc::gen::map(
      rc::gen::tuple(some_type(), some_id(), some_time(), outcome, some_jobs()),
      [](const auto& x) { return tag{std::make_from_tuple<result>(x)}; }));
}

/// Of tags that have any: their jobs.
std::vector<job_id>* jobs_in(tag& x) {
  if (auto* p = std::get_if<pending>(&x))
    return &p->jobs;
  if (auto* r = std::get_if<result>(&x))
    return &r->jobs;
  return nullptr;
}

bool is_part_of(const std::vector<job_id>& part,
                const std::vector<job_id>& whole) {
  auto at = whole.begin();
  for (auto id : part) {
    at = std::find(at, whole.end(), id);
    if (at == whole.end())
      return false;
    ++at;
  }
  return true;
}

/// Bytes in a row that may be anything, with a taste for our own words.
rc::Gen<std::string> some_text() {
  auto word = rc::gen::element<std::string>(
    std::string{prefix}, "suspend", "pending", "result", ":", "+", "-",
    "failover", "reinstall", "success", "enoperm", "1700000000", "0", "x");
  auto byte = rc::gen::map(rc::gen::arbitrary<char>(),
                           [](char c) { return std::string{c}; });
  auto parts = rc::gen::container<std::vector<std::string>>(
    rc::gen::weightedOneOf<std::string>({{5, word}, {1, byte}}));
  return rc::gen::map(parts, [](const std::vector<std::string>& all) {
    std::string text;
    for (const auto& part : all)
      text += part;
    return text;
  });
}

/// A tag with one byte behind the prefix overwritten, or as it should be.
rc::Gen<std::string> almost_a_tag() {
  auto letter = rc::gen::elementOf(std::string{":+-0123456789aez\x00\xff", 18});
  return rc::gen::map(
    rc::gen::tuple(some_tag(), rc::gen::arbitrary<bool>(), letter,
                   rc::gen::arbitrary<std::size_t>()),
    [](const auto& x) {
      const auto& [tag, spoil, c, place] = x;
      auto text = format(tag);
      if (spoil)
        text[prefix.size() + place % (text.size() - prefix.size())] = c;
      return text;
    });
}

} // namespace

TEST_CASE("property: a tag is read as it was written if it fits, and else "
          "lacks nothing but jobs from the middle") {
  check_property([] {
    auto x = *some_tag();
    auto text = format(x);
    auto back = parse(text);
    RC_ASSERT(back.has_value());
    RC_ASSERT(format(*back) == text);
    auto* kept = jobs_in(*back);
    if (kept == nullptr) {
      RC_ASSERT(*back == x);
      return;
    }
    auto all = *jobs_in(x);
    auto some = *kept;
    RC_CLASSIFY(some != all, "shortened");
    *kept = all;
    RC_ASSERT(*back == x);
    auto head = text.substr(0, text.rfind(':') + 1);
    RC_ASSERT(text.size() <= std::max(length_max, head.size()));
    RC_ASSERT(is_part_of(some, all));
    auto whole = head;
    for (std::size_t i = 0; i < all.size(); ++i)
      whole += (i == 0 ? "" : "+") + std::to_string(all[i]);
    RC_ASSERT((some == all) == (whole.size() <= length_max || all.empty()));
    if (all.empty() || some == all)
      return;
    auto room = length_max - std::min(length_max, head.size());
    auto first = std::to_string(all.front()).size();
    auto last = std::to_string(all.back()).size();
    RC_ASSERT(some.empty() == (first > room && last > room));
    if (last <= room)
      RC_ASSERT(some.back() == all.back());
    if (first <= room && (last > room || first + 1 + last <= room))
      RC_ASSERT(some.front() == all.front());
  });
}

TEST_CASE("property: a canonical tag is written as it was read") {
  check_property([] {
    auto text = format(*some_tag());
    RC_ASSERT(format(*parse(text)) == text);
  });
}

TEST_CASE("property: texts of others never parse and are no oddity") {
  check_property([] {
    auto text = *some_text();
    RC_PRE(text.compare(0, prefix.size(), prefix) != 0);
    RC_ASSERT(!parse(text).has_value());
    auto cut = prefix.substr(0, prefix.size() - 1);
    RC_ASSERT(oddity(text).empty() == (text != cut));
  });
}

TEST_CASE("property: a text that begins like ours is either good for "
          "something or reported") {
  check_property([] {
    auto text = *rc::gen::oneOf(rc::gen::map(some_text(),
                                             [](const std::string& x) {
                                               return std::string{prefix} + x;
                                             }),
                                almost_a_tag());
    auto x = parse(text);
    auto good = x.has_value();
    if (x) {
      if (const auto* stop = std::get_if<suspend>(&*x))
        good = !stop->malformed;
      else if (const auto* p = std::get_if<pending>(&*x))
        good = has_room_for_result(*p);
      else if (const auto* end = std::get_if<result>(&*x))
        good = !end->id.empty();
    }
    RC_CLASSIFY(good, "good");
    auto said = oddities({text}, "instance web1");
    RC_ASSERT(said.empty() == good);
    for (const auto& sentence : said)
      for (auto c : sentence)
        RC_ASSERT(c >= ' ' && c <= '~');
  });
}

} // namespace orderly::repair_tags_property_test
