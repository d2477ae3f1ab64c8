// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// When a suspension is over: the time at which an instance is looked at again.

#include "actors/policy/repair/permission.hpp"

#include <catch2/catch.hpp>

namespace orderly::repair_suspend_end_test {

namespace {

const std::string suspend = "ganeti:watcher:autorepair:suspend";

} // namespace

TEST_CASE("the next suspension to end is the first that still holds") {
  auto now = instant{seconds{1000}};
  std::vector<std::string> tags{suspend + ":3000", suspend + ":2000",
                                suspend + ":900", "owner:ann"};
  CHECK(next_suspend_end(tags, now) == instant{seconds{2000}});
  // At that very time it is over.
  CHECK(next_suspend_end(tags, instant{seconds{2000}})
        == instant{seconds{3000}});
  CHECK(next_suspend_end(tags, instant{seconds{3000}}) == never);
}

TEST_CASE("suspensions without a time never end by themselves") {
  auto now = instant{seconds{1000}};
  CHECK(next_suspend_end({}, now) == never);
  CHECK(next_suspend_end({suspend, suspend + ":", suspend + ":tomorrow"}, now)
        == never);
}

} // namespace orderly::repair_suspend_end_test
