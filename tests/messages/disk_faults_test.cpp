// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/disk_faults.hpp"

#include <catch2/catch.hpp>

namespace orderly::messages_disk_faults_test {

TEST_CASE("a copy lacks something if its own disk is broken or written anew, "
          "and not if it is degraded only") {
  disk_fault x{"disk/0", true, "n1"};
  CHECK(lacks(x, "n1"));
  CHECK_FALSE(lacks(x, "n2"));
  x.broken = false;
  CHECK_FALSE(lacks(x, "n1"));
  x.syncing = true;
  CHECK(lacks(x, "n1"));
}

TEST_CASE("a copy that lacks something is alone in that unless the other lacks "
          "something as well") {
  std::vector<disk_fault> all{{"disk/0", true, "n1"}};
  CHECK(lacks_alone(all, "n1"));
  CHECK_FALSE(lacks_alone(all, "n2"));
  all.push_back({"disk/1", true, "n2"});
  CHECK(lacks(all, "n1"));
  CHECK_FALSE(lacks_alone(all, "n1"));
}

} // namespace orderly::messages_disk_faults_test
