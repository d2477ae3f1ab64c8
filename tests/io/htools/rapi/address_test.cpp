// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What -m names.

#include "io/htools/rapi/address.hpp"

#include <catch2/catch.hpp>

namespace orderly::rapi_address_test {

using namespace orderly::io::htools;

namespace {

rapi_address good(const char* text) {
  auto x = read_rapi_address(text);
  INFO(text);
  REQUIRE(x);
  return *x;
}

} // namespace

TEST_CASE("an address of the remote API may be a name, or have all parts") {
  CHECK(good("cluster.example.com")
        == rapi_address{"cluster.example.com", "5080", "", ""});
  CHECK(good("c1:5443") == rapi_address{"c1", "5443", "", ""});
  CHECK(good("https://c1") == rapi_address{"c1", "5080", "", ""});
  CHECK(good("https://c1:1/") == rapi_address{"c1", "1", "", ""});
  CHECK(good("https://[2001:db8::1]:5081")
        == rapi_address{"2001:db8::1", "5081", "", ""});
  CHECK(good("https://[::1]") == rapi_address{"::1", "5080", "", ""});
  CHECK(good("https://me:s3cret@c1")
        == rapi_address{"c1", "5080", "me", "s3cret"});
  CHECK(good("https://me@c1").password.empty());
  // The last @ ends the user: a password may have one.
  CHECK(good("https://me:a@b:c@c1:7").password == "a@b:c");
  CHECK(good("https://m%40x:%2F%3a%00z@c1").user == "m@x");
  CHECK(good("https://m:%2F%3a%00z@c1").password == std::string("/:\0z", 4));
}

TEST_CASE("what is no address is refused, and not repeated") {
  for (const char* text :
       {"", "https://", "https://:5080", "https://me:s3cret@", "c1:", "c1:0",
        "c1:65536", "c1:5080x", "c1:-1", "https://[::1", "https://[::1]x",
        "https://me:s3cret@c1/2/info", "https://me:s3cret@c 1",
        "https://me:s3cret%2@c1", "https://me:s3cret%zz@c1",
        "https://:s3cret@c1", "http://me:s3cret@c1", "ftp://s3cret@c1",
        "me:s3cret@c1\r\nX: y"}) {
    auto x = read_rapi_address(text);
    INFO(text);
    REQUIRE_FALSE(x);
    CHECK(x.why().text.find("s3cret") == std::string::npos);
    CHECK(x.why().text.find("--master") != std::string::npos);
  }
}

} // namespace orderly::rapi_address_test
