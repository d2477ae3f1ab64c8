// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/checks/storage.hpp"

#include <catch2/catch.hpp>

namespace orderly::checks_storage_test {

using namespace orderly::checks;

namespace {

const instant suspect = from_ms(1700000000000);
const instant looked = suspect + seconds{600};

/// Its heartbeat is long over.
storage_sight sight(std::vector<std::optional<instant>> volumes) {
  return {true, suspect - hours{1}, std::move(volumes)};
}

activity verdict(const storage_sight& seen,
                 std::optional<storage_record> last = {}) {
  return judge_storage(seen, suspect, last, looked).verdict;
}

} // namespace

TEST_CASE("a heartbeat proves life while it is younger than 61 s") {
  auto seen = sight({});
  seen.heartbeat = looked - heartbeat_proves + millis{1};
  CHECK(verdict(seen) == activity::active);
  seen.heartbeat = looked - heartbeat_proves;
  CHECK(verdict(seen) == activity::inactive);
  CHECK_FALSE(judge_storage(seen, suspect, {}, looked).keep);
}

TEST_CASE("the first look of an incident compares with its suspicion") {
  CHECK(verdict(sight({suspect + millis{1}, suspect - hours{2}}))
        == activity::active);
  CHECK(verdict(sight({suspect})) == activity::inactive);
}

TEST_CASE("a later look compares with the look before") {
  storage_record last{suspect, suspect - seconds{9}};
  CHECK(verdict(sight({suspect - seconds{8}}), last) == activity::active);
  CHECK(verdict(sight({suspect - seconds{9}}), last) == activity::inactive);
  // What was seen to move moves no more.
  last.newest = suspect + seconds{30};
  CHECK(verdict(sight({suspect + seconds{30}}), last) == activity::inactive);
}

TEST_CASE("what was kept of another incident does not count, older or not") {
  for (auto of : {suspect - hours{1}, suspect + hours{1}}) {
    storage_record last{of, suspect + hours{2}};
    CHECK(verdict(sight({suspect + seconds{1}}), last) == activity::active);
    last.newest = suspect - hours{3};
    CHECK(verdict(sight({suspect - seconds{1}}), last) == activity::inactive);
  }
}

TEST_CASE("a look leaves its incident and the newest write of it") {
  auto first
    = judge_storage(sight({suspect - seconds{5}}), suspect,
                    storage_record{suspect - hours{1}, looked}, looked);
  CHECK(first.keep == storage_record{suspect, suspect - seconds{5}});
  // A volume that cannot be read for a while does not seem written later.
  auto second = judge_storage(sight({suspect - seconds{7}, std::nullopt}),
                              suspect, first.keep, looked);
  CHECK(second.verdict == activity::unknown);
  CHECK(
    verdict(sight({suspect - seconds{7}, suspect - seconds{5}}), second.keep)
    == activity::inactive);
}

TEST_CASE("what cannot be read is unknown, never inactive") {
  auto seen = sight({suspect + seconds{1}});
  seen.readable = false;
  CHECK(verdict(seen) == activity::unknown);
  CHECK(verdict(sight({std::nullopt})) == activity::unknown);
  CHECK(verdict(sight({std::nullopt, suspect - seconds{1}}))
        == activity::unknown);
  CHECK(verdict(sight({std::nullopt, suspect + seconds{1}}))
        == activity::active);
  storage_sight nothing;
  CHECK(verdict(nothing) == activity::unknown);
}

TEST_CASE("activity on any storage wins, and one that cannot tell leaves it "
          "open") {
  using enum activity;
  CHECK(judge_storages({inactive, active}) == active);
  CHECK(judge_storages({active, unknown, inactive}) == active);
  CHECK(judge_storages({inactive, unknown}) == unknown);
  CHECK(judge_storages({inactive, not_looked}) == unknown);
  CHECK(judge_storages({inactive, inactive}) == inactive);
  CHECK(judge_storages({}) == inactive);
}

TEST_CASE("a storage that never shows activity says nothing") {
  using enum activity;
  CHECK(judge_storages({std::nullopt, inactive}) == inactive);
  CHECK(judge_storages({std::nullopt, active}) == active);
  CHECK(judge_storages({std::nullopt}) == unknown);
}

} // namespace orderly::checks_storage_test
