// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/permission.hpp"

#include <catch2/catch.hpp>

namespace orderly::repair_permission_test {

namespace {

using texts = std::vector<std::string>;
using verdict = permission::verdict;

constexpr instant now{seconds{1700000000}};

texts tagged(const texts& rests) {
  texts result;
  for (const auto& rest : rests)
    result.push_back(std::string{tags::prefix} + rest);
  return result;
}

permission of(const texts& instance, const texts& group, const texts& cluster) {
  return permission_of("web1", tagged(instance), "g1", tagged(group),
                       tagged(cluster), now);
}

struct row {
  const char* what;
  texts instance;
  texts group;
  texts cluster;
  std::string expected;
};

} // namespace

TEST_CASE("the nearest object with an opinion decides, suspend first, then "
          "the least destructive type") {
  const std::string p{tags::prefix};
  for (const auto& r : std::vector<row>{
         {"nothing anywhere",
          {},
          {},
          {},
          "not enabled: no autorepair tag on instance web1, group g1 or the "
          "cluster"},
         {"H10 i1: instance beats cluster",
          {"failover"},
          {},
          {"fix-storage", "reinstall"},
          "enabled up to failover by tag " + p + "failover on instance web1"},
         {"H10 i2: least of the cluster",
          {},
          {},
          {"reinstall", "fix-storage"},
          "enabled up to fix-storage by tag " + p + "fix-storage on cluster"},
         {"group beats cluster",
          {},
          {"migrate"},
          {"reinstall"},
          "enabled up to migrate by tag " + p + "migrate on group g1"},
         {"H14: enable nearby beats suspend above",
          {"failover"},
          {},
          {"suspend"},
          "enabled up to failover by tag " + p + "failover on instance web1"},
         {"suspend beats enable in one object",
          {"failover", "suspend"},
          {},
          {},
          "suspended for ever by tag " + p + "suspend on instance web1"},
         {"suspend nearby beats enable above",
          {"suspend:1700000001"},
          {},
          {"failover"},
          "suspended until 2023-11-14 22:13:21 UTC by tag " + p
            + "suspend:1700000001 on instance web1"},
         {"the longest suspension counts",
          {},
          {"suspend:1700000010", "suspend:1700000030", "suspend:1700000020"},
          {},
          "suspended until 2023-11-14 22:13:50 UTC by tag " + p
            + "suspend:1700000030 on group g1"},
         {"for ever beats any time",
          {},
          {"suspend:1700000010", "suspend:", "suspend:1700000020"},
          {},
          "suspended for ever by tag " + p + "suspend: on group g1"},
         {"H16: an expired suspension is no opinion",
          {"suspend:1700000000"},
          {},
          {"failover"},
          "enabled up to failover by tag " + p + "failover on cluster"},
         {"a malformed suspension fails safe",
          {},
          {},
          {"failover", "suspend:tomorrow"},
          "suspended for ever by tag " + p
            + "suspend:tomorrow on cluster (its time is none)"},
       }) {
    INFO(r.what);
    CHECK(describe(of(r.instance, r.group, r.cluster)) == r.expected);
  }
}

TEST_CASE("pending and result tags are no opinion about permission") {
  auto p = of({"pending:failover:x:1:", "result:failover:x:1:success:"}, {},
              {"migrate"});
  CHECK(p.what == verdict::enabled);
  CHECK(p.up_to == tags::repair_type::migrate);
}

TEST_CASE("expired are suspensions whose time has come, and no others") {
  auto all = tagged({"suspend", "suspend:1699999999", "suspend:1700000000",
                     "suspend:1700000001", "suspend:never", "failover"});
  CHECK(expired_suspends(all, now)
        == tagged({"suspend:1699999999", "suspend:1700000000"}));
}

TEST_CASE("the next suspension to end is the first that still holds") {
  const auto suspend = std::string{tags::prefix} + "suspend";
  auto at = instant{seconds{1000}};
  std::vector<std::string> tags{suspend + ":3000", suspend + ":2000",
                                suspend + ":900", "owner:ann"};
  CHECK(next_suspend_end(tags, at) == instant{seconds{2000}});
  // At that very time it is over.
  CHECK(next_suspend_end(tags, instant{seconds{2000}})
        == instant{seconds{3000}});
  CHECK(next_suspend_end(tags, instant{seconds{3000}}) == never);
}

TEST_CASE("suspensions without a time never end by themselves") {
  const auto suspend = std::string{tags::prefix} + "suspend";
  auto at = instant{seconds{1000}};
  CHECK(next_suspend_end({}, at) == never);
  CHECK(next_suspend_end({suspend, suspend + ":", suspend + ":tomorrow"}, at)
        == never);
}

} // namespace orderly::repair_permission_test
