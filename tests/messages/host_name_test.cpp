// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/host_name.hpp"

#include <catch2/catch.hpp>

namespace orderly::messages_host_name_test {

TEST_CASE("a host's name is letters, digits and three marks") {
  for (const auto* text : {"a", "Node1", "node1.example.com", "my_host-2"})
    CHECK(is_host_name(text));
  for (const auto* text :
       {"", ".", "node1.", "a b", "x:1816", "http://x", "x/y", "*",
        "n\xc3\xb6"
        "de"})
    CHECK_FALSE(is_host_name(text));
  CHECK(is_host_name(std::string(253, 'a')));
  CHECK_FALSE(is_host_name(std::string(254, 'a')));
}

TEST_CASE("an IPv6 address has eight groups, or a gap") {
  for (const auto* text :
       {"::", "::1", "2001:DB8::7", "1:2:3:4:5:6:7:8", "fe80::", "1::8"})
    CHECK(is_ipv6_address(text));
  for (const auto* text :
       {"", ":", ":::", "1:2:3", "[::1]", "x:1816", "a:1816", "::12345",
        "1:", "::1:", ":1::2", "1::2::3", "1:2:3:4:5:6:7:8:9",
        "1:2:3:4::5:6:7:8", "fe80::1%eth0", "1:2:3:4:5:6:7:g"})
    CHECK_FALSE(is_ipv6_address(text));
}

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

} // namespace orderly::messages_host_name_test
