// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Opinions that are digested once and asked often.

#include "actors/policy/repair/permission.hpp"
#include "tests/support/property.hpp"

#include <catch2/catch.hpp>

namespace orderly::repair_permission_opinion_test {

namespace {

using texts = std::vector<std::string>;
using verdict = permission::verdict;

instant at(std::int64_t s) {
  return instant{seconds{s}};
}

texts tagged(const texts& rests) {
  texts result;
  for (const auto& rest : rests)
    result.push_back(std::string{tags::prefix} + rest);
  return result;
}

tag_opinion of(const texts& rests) {
  return {tagged(rests), "group g1"};
}

} // namespace

TEST_CASE("an object without tags of ours has no opinion, at any time") {
  CHECK(tag_opinion{}.at(at(0)) == nullptr);
  tag_opinion foreign{{"web", "ganeti:watcher:autorepair:repair"}, "cluster"};
  CHECK(foreign.at(at(0)) == nullptr);
  CHECK_FALSE(foreign.changes_after(at(0)));
  CHECK(foreign.expired(at(0)).empty());
}

TEST_CASE("an opinion follows the time without being digested again") {
  auto x = of({"failover", "suspend:200", "migrate", "suspend:100"});
  REQUIRE(x.at(at(50)) != nullptr);
  CHECK(x.at(at(50))->until == at(200));
  CHECK(x.changes_after(at(50)) == at(100));
  CHECK(x.expired(at(50)).empty());
  // A suspension is active only before its time.
  CHECK(x.at(at(100))->until == at(200));
  CHECK(x.expired(at(100)) == tagged({"suspend:100"}));
  CHECK(x.changes_after(at(100)) == at(200));
  CHECK(x.at(instant{millis{199999}})->what == verdict::suspended);
  CHECK(x.at(at(200))->what == verdict::enabled);
  CHECK(x.at(at(200))->up_to == tags::repair_type::migrate);
  CHECK(x.expired(at(200)) == tagged({"suspend:200", "suspend:100"}));
  CHECK_FALSE(x.changes_after(at(200)));
}

TEST_CASE("a suspension for ever hides shorter ones, which still run out") {
  auto x = of({"suspend:100", "suspend:never"});
  CHECK_FALSE(x.at(at(0))->until);
  CHECK(x.changes_after(at(0)) == at(100));
  CHECK(x.expired(at(100)) == tagged({"suspend:100"}));
  CHECK(x.at(at(100))->what == verdict::suspended);
}

TEST_CASE("the source of a permission shows every byte") {
  tag_opinion x{tagged({"suspend:\n"}), "instance \xff"};
  CHECK(x.at(at(0))->source
        == std::string{"tag "} + std::string{tags::prefix}
             + "suspend:\\x0a on instance \\xff (its time is none)");
}

TEST_CASE("property: digested or not, permissions are the same, and change "
          "only when it was foretold") {
  check_property([] {
    auto some = [] {
      return tagged(*rc::gen::container<texts>(rc::gen::element<std::string>(
        "suspend", "suspend:", "suspend:x", "suspend:5", "suspend:10",
        "suspend:10", "suspend:15", "failover", "migrate", "reinstall", "web",
        "pending:failover:i:5:", "result:failover:i:5:failure:")));
    };
    texts near = *rc::gen::resize(3, rc::gen::exec(some));
    texts middle = *rc::gen::resize(3, rc::gen::exec(some));
    texts far = *rc::gen::resize(4, rc::gen::exec(some));
    tag_opinion a{near, "instance i"};
    tag_opinion b{middle, "group g"};
    tag_opinion c{far, "cluster"};
    auto before = permission_of("i", a, "g", b, c, at(0));
    auto due = std::optional<instant>{};
    for (const auto* x : {&a, &b, &c})
      if (auto next = x->changes_after(at(0)); next && (!due || *next < *due))
        due = next;
    for (int s = 0; s < 20; ++s) {
      auto now = at(s);
      auto x = permission_of("i", a, "g", b, c, now);
      RC_ASSERT(x == permission_of("i", near, "g", middle, far, now));
      RC_ASSERT(a.expired(now) == expired_suspends(near, now));
      if (!due || now < *due)
        RC_ASSERT(x == before);
    }
  });
}

} // namespace orderly::repair_permission_opinion_test
