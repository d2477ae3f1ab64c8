// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Bytes of strangers, in whatever pieces they come.

#include "io/door/request_reader.hpp"
#include "tests/support/views.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

namespace orderly::door_request_reader_test {

using namespace orderly::io::http;
using orderly::test::contains;
using verdict = request_reader::verdict;

namespace {

/// What was read of `text`, given in pieces of the sizes that `next` says.
template <class Next>
std::string story(const std::string& text, Next next) {
  request_reader reader{limits{}};
  std::string told;
  std::size_t at = 0;
  for (;;) {
    auto found = reader.look();
    if (found == verdict::whole) {
      auto x = reader.take();
      told += x.method + " " + x.target + " [" + x.body + "] " + x.host
              + (reader.keeps_alive() ? " keeps\n" : " ends\n");
      if (!reader.keeps_alive())
        return told;
    } else if (found == verdict::bad) {
      return told + std::to_string(reader.refusal().status);
    } else {
      if (found == verdict::go_ahead)
        told += "go on\n";
      if (at == text.size())
        return told;
      auto room = reader.room();
      auto size = std::min({next(), room.size(), text.size() - at});
      std::memcpy(room.data(), text.data() + at, size);
      reader.took(size);
      at += size;
    }
  }
}

std::string whole(const std::string& text) {
  return story(text, [] { return std::size_t{4096}; });
}

} // namespace

TEST_CASE("a request means the same in whatever pieces it comes") {
  const std::string text
    = "GET /2/status?x=1 HTTP/1.1\r\nHost: a\r\n\r\n"
      "POST /2/pause HTTP/1.1\r\nHost: b\r\nContent-Length: 5\r\n\r\nhello"
      "POST /x HTTP/1.1\r\nHost: c\r\nContent-Length: 2\r\n\r\nde"
      "HEAD / HTTP/1.0\r\n\r\n";
  const std::string meant = "GET /2/status?x=1 [] a keeps\n"
                            "POST /2/pause [hello] b keeps\n"
                            "POST /x [de] c keeps\n"
                            "HEAD / []  ends\n";
  CHECK(whole(text) == meant);
  CHECK(story(text, [] { return std::size_t{1}; }) == meant);
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 dice{seed};
    CHECK(story(text, [&] { return std::size_t{1 + dice() % 40}; }) == meant);
  }
}

TEST_CASE("a client that asks first is told once to go on") {
  CHECK(whole("POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
              "Content-Length: 2\r\n\r\n")
        == "go on\n");
  CHECK(whole("POST /x HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\n"
              "Content-Length: 2\r\n\r\n")
        == "");
}

TEST_CASE("what is no request is refused, however much of it there is") {
  CHECK(whole("\x16\x03\x01 hello") == "400");
  CHECK(whole("GET\r\n\r\n") == "400");
  CHECK(whole("GET / HTTP/1.1\r\n\r\n") == "400"); // no host
  CHECK(whole("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n") == "400");
  CHECK(whole("GET / HTTP/1.1\r\nHost: \r\n\r\n") == "400");
  CHECK(whole("GET / HTTP/1.0\r\nHost:\r\n\r\n") == "400");
  CHECK(whole("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n")
        == "400");
  CHECK(whole("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
              "Content-Length: 2\r\n\r\n")
        == "400");
  CHECK(whole("GET /" + std::string(20000, 'a')) == "431");
  CHECK(whole("GET / HTTP/1.1\r\nX: " + std::string(20000, 'a')) == "431");
  CHECK(whole("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
        == "413");
}

TEST_CASE("who asked for a head and is refused gets no body either") {
  auto is_head = [](const std::string& text) {
    request_reader reader{limits{}};
    auto room = reader.room();
    REQUIRE(room.size() >= text.size());
    std::memcpy(room.data(), text.data(), text.size());
    reader.took(text.size());
    REQUIRE(reader.look() == verdict::bad);
    return reader.is_head();
  };
  for (const auto* rest :
       {"Host: a\r\nTransfer-Encoding: chunked\r\n\r\n", "X\t: y\r\n\r\n",
        "Host: a\r\nHost: b\r\n\r\n", "Content-Length: x\r\n\r\n"}) {
    CHECK(is_head(std::string{"HEAD / HTTP/1.1\r\n"} + rest));
    CHECK_FALSE(is_head(std::string{"GET / HTTP/1.1\r\n"} + rest));
  }
}

TEST_CASE("a head that never ends is refused, wherever its pieces end") {
  const std::string line = "A: " + std::string(95, 'a') + "\r\n";
  std::string text = "GET / HTTP/1.1\r\nHost: a\r\n";
  auto first = text.size();
  for (int i = 0; i < 400; ++i)
    text += line;
  for (std::size_t beyond = 0; beyond <= line.size(); ++beyond) {
    CAPTURE(beyond);
    auto begun = false;
    CHECK(story(text,
                [&] {
                  return std::exchange(begun, true) ? line.size()
                                                    : first + beyond;
                })
          == "431");
  }
}

TEST_CASE("a body in chunks is refused before any of it is read") {
  // The last chunk, cut behind its size, would end the process.
  const std::string head
    = "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const auto* body : {"0\r\n", "0\r\n\r", "3\r\nabc\r\n0\r\n\r\n"}) {
    CHECK(whole(head + body) == "411");
    CHECK(story(head + body, [] { return std::size_t{1}; }) == "411");
  }
}

TEST_CASE("a body in a coding that nobody knows hides no second request") {
  for (const auto* coding : {"identity", "xchunked", "gzip"})
    CHECK(whole("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
                + std::string{coding} + "\r\n\r\nGET /y HTTP/1.1\r\n\r\n")
          == "411");
}

TEST_CASE("gzip is taken where the client says so") {
  auto takes = [](const std::string& header) {
    request_reader reader{limits{}};
    auto text = "GET / HTTP/1.1\r\nHost: a\r\n" + header + "\r\n";
    std::memcpy(reader.room().data(), text.data(), text.size());
    reader.took(text.size());
    REQUIRE(reader.look() == verdict::whole);
    return reader.take().takes_gzip;
  };
  CHECK(takes("Accept-Encoding: gzip\r\n"));
  CHECK(takes("Accept-Encoding: br, GZIP;q=0.5\r\n"));
  CHECK_FALSE(takes(""));
  CHECK_FALSE(takes("Accept-Encoding: gzip;q=0\r\n"));
  CHECK_FALSE(takes("Accept-Encoding: gzip;q=0.000\r\n"));
  CHECK_FALSE(takes("Accept-Encoding: x-gzipped\r\n"));
}

} // namespace orderly::door_request_reader_test
