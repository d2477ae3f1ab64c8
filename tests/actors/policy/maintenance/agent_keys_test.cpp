// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/agent_keys.hpp"

#include <catch2/catch.hpp>

namespace orderly::policy_maintenance_agent_keys_test {

using namespace orderly::maintenance;

TEST_CASE("the first agent of a node is taken, and no other after it") {
  CHECK(known_keys({}, "", false).empty());
  CHECK(known_keys({"other"}, "aa", false) == std::vector<std::string>{"aa"});
}

TEST_CASE("where a tag names the agent it alone counts") {
  std::vector<std::string> tags{"orderly:agent:bb", "orderly:agent:cc", "x"};
  CHECK(known_keys(tags, "aa", false) == std::vector<std::string>{"bb", "cc"});
  CHECK(known_keys(tags, "aa", true) == std::vector<std::string>{"bb", "cc"});
}

TEST_CASE("nobody is known without a tag if only tags are to count") {
  auto keys = known_keys({"orderly:agent:"}, "aa", true);
  REQUIRE(keys.size() == 1);
  CHECK(keys.front() != "aa");
}

} // namespace orderly::policy_maintenance_agent_keys_test
