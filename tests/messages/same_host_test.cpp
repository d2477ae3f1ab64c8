// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/same_host.hpp"

#include <catch2/catch.hpp>

namespace orderly::messages_same_host_test {

TEST_CASE("a host is its node under its short and its full name") {
  CHECK(is_same_host("node1.gnt.test", "node1.gnt.test"));
  CHECK(is_same_host("node1", "node1.gnt.test"));
  CHECK(is_same_host("NODE1.gnt.test", "node1"));
  CHECK_FALSE(is_same_host("node1", "node10.gnt.test"));
  CHECK_FALSE(is_same_host("node1.other.test", "node1.gnt.test"));
  CHECK_FALSE(is_same_host("node1.gnt", "node1.gnt.test"));
  CHECK_FALSE(is_same_host("", ""));
  CHECK_FALSE(is_same_host("", "node1"));
}

} // namespace orderly::messages_same_host_test
