// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A server that says nothing; what one may say wrong is tried by
// tests/programs/htools/rapi_source.py.

#include "io/htools/rapi/ask_rapi.hpp"

#include <catch2/catch.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace orderly::rapi_ask_rapi_test {

using namespace orderly::io::htools;

TEST_CASE("a remote API that says nothing is not waited for longer than the "
          "time limit") {
  boost::asio::io_context loop;
  boost::asio::ip::tcp::acceptor silent{
    loop, {boost::asio::ip::address_v4::loopback(), 0}};
  auto port = std::to_string(silent.local_endpoint().port());
  auto got = ask_rapi({"127.0.0.1", port, "me", "s3cret"}, {{}, millis{200}});
  REQUIRE_FALSE(got);
  CHECK(got.why().text
        == "RAPI of 127.0.0.1, /2/groups?bulk=1: no answer in time");
}

} // namespace orderly::rapi_ask_rapi_test
