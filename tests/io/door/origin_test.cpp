// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/origin.hpp"

#include <catch2/catch.hpp>

namespace orderly::door_origin_test {

using namespace orderly::io::http;

TEST_CASE("the host of a request is its name without port and case") {
  CHECK(host_of("node1.example.com") == "node1.example.com");
  CHECK(host_of("NODE1:1816") == "node1");
  CHECK(host_of("node1.:80") == "node1");
  CHECK(host_of("127.0.0.1:1816") == "127.0.0.1");
  CHECK(host_of("[::1]:1816") == "::1");
  CHECK(host_of("[fe80::1]") == "fe80::1");
}

TEST_CASE("what is no host is none, rather than a part of it") {
  for (const auto* text :
       {"", ":80", "node1:", "node1:http", "node1:123456", "node 1", "[::1",
        "[node1]", "[::1]x", "node1@evil.example", "a/b", "node1,evil",
        "evil.example\r\nx",
        "n\xc3\xb6"
        "de",
        "::1"})
    CHECK_FALSE(host_of(text));
  CHECK_FALSE(host_of(std::string(300, 'a')));
  CHECK_FALSE(host_of(std::string{"a\0b", 3}));
}

TEST_CASE("the host of an origin is that of its address") {
  CHECK(host_of_origin("http://localhost:1816") == "localhost");
  CHECK(host_of_origin("https://Evil.example") == "evil.example");
  for (const auto* text :
       {"null", "", "http:/x", "://x", "http://", "http://x/path", "x"})
    CHECK_FALSE(host_of_origin(text));
}

TEST_CASE("addresses and localhost are no stranger's name") {
  for (const auto* name : {"localhost", "127.0.0.1", "10.1.2.3", "::1"})
    CHECK(is_nobodys_name(name));
  for (const auto* name : {"localhost.evil.example", "127.0.0.1.evil.example",
                           "0x7f000001.evil.example", "evil"})
    CHECK_FALSE(is_nobodys_name(name));
}

} // namespace orderly::door_origin_test
