// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What many tags cost, in allocations: ten times the tags may take ten times
// the work, and no more. Times would depend on the machine.

#include "actors/policy/repair/tag_oddities.hpp"
#include "tests/actors/policy/repair/lab.hpp"

#include <cstdlib>
#include <functional>
#include <new>

namespace {

std::size_t allocations = 0;

} // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (auto* p = std::malloc(size == 0 ? 1 : size))
    return p;
  throw std::bad_alloc{};
}

// As the standard ones do; new above takes from malloc, which g++ 12 forgets
// when it inlines only one of the two.
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}

[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}

namespace orderly::repair_tags_count_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

using work = std::function<void(const texts&)>;

/// Sorts of tags of which there may be many.
const std::vector<texts> sorts{
  {"web-with-a-name-that-is-long-enough-", ""},
  {tagged("pending:failover:x"), ":1600000000:1+2+3"},
  {tagged("pending:repair:x"), ":1600000000:1+2+3"},
  {tagged("result:failover:x"), ":1600000000:success:1+2+3"},
  {tagged("result:failover:x"), ":1600000000:enoperm:"},
  {tagged("suspend:16"), ""},
  {tagged("suspend:29"), ""},
  {tagged("suspend:x"), ""},
};

std::size_t cost(const work& f, const texts& sort, std::size_t n) {
  texts all;
  for (std::size_t i = 0; i < n; ++i)
    all.push_back(sort[0] + std::to_string(10000000 + i) + sort[1]);
  auto before = allocations;
  f(all);
  return allocations - before;
}

void check_growth(const work& f) {
  for (const auto& sort : sorts) {
    CAPTURE(sort);
    auto thousand = cost(f, sort, 1000);
    auto ten_thousand = cost(f, sort, 10000);
    CHECK(ten_thousand <= 11 * thousand + 100);
    CHECK(ten_thousand <= 60 * 10000);
  }
}

} // namespace

TEST_CASE("a tag of others costs nothing but a look at its beginning") {
  std::string text(1 << 20, 'x');
  auto before = allocations;
  auto tag = tags::parse(text);
  CHECK(allocations == before);
  CHECK_FALSE(tag);
}

TEST_CASE("the cost of permission, oddities and expired suspensions grows "
          "with the number of tags") {
  check_growth([](const texts& all) {
    auto may = permission_of("i", all, "g", all, all, start_time);
    CHECK_FALSE(may.source.empty());
  });
  check_growth([](const texts& all) { tag_opinion{all, "cluster"}; });
  check_growth([](const texts& all) {
    CHECK(oddities(all, "cluster").size() <= oddities_max + 1);
  });
  check_growth([](const texts& all) { expired_suspends(all, start_time); });
}

TEST_CASE("an opinion that is digested costs one permission, however many "
          "tags it is from") {
  texts all;
  for (int i = 0; i < 10000; ++i)
    all.push_back(tagged("suspend:29" + std::to_string(10000000 + i)));
  tag_opinion x{all, "cluster"};
  tag_opinion none;
  auto before = allocations;
  auto may = permission_of("i", none, "g", none, x, start_time);
  CHECK(allocations - before <= 2);
  CHECK(may.what == permission::verdict::suspended);
}

TEST_CASE("the cost of a look at an instance grows with the number of its "
          "tags") {
  check_growth([](const texts& all) {
    world w;
    w.kill("n1");
    w.cluster_tags = {tagged("failover")};
    w.record.tags = all;
    auto v = step({}, looked{w.seen(), id1}, w.limits, w.now);
    CHECK(v.next.stage != stage::repairing);
  });
}

} // namespace orderly::repair_tags_count_test
