// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Exchanges with servers that answer so or so. What each asker makes of an end
// is tested with the asker, TLS with those who use it.

#include "io/exchange/exchange.hpp"
#include "messages/time.hpp"
#include "tests/io/agent/sockets.hpp"

#include <catch2/catch.hpp>

#include <optional>

#include <boost/asio/io_context.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>

namespace orderly::exchange_test {

using namespace orderly::io;
using test::accepting;
using test::black_hole;
using test::canned;
using test::refusing;

namespace {

namespace beast = boost::beast;

constexpr auto head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n";

exchange_rules rules_for(std::uint16_t port, millis limit = seconds{5}) {
  return {.places = {{boost::asio::ip::address_v4::loopback(), port}},
          .until = std::chrono::steady_clock::now() + limit,
          .head_max = 4096,
          .body_max = 1000};
}

std::optional<exchange_end> ask(exchange_rules rules,
                                exchange_question what = {.host = "them"}) {
  boost::asio::io_context on{1};
  std::optional<exchange_end> got;
  exchange(std::make_shared<plain_way>(on), std::move(what), std::move(rules),
           [&](exchange_end x) {
             REQUIRE_FALSE(got);
             got = std::move(x);
           });
  CHECK_FALSE(got); // never before it returned
  on.run_for(seconds{20});
  return got;
}

} // namespace

TEST_CASE("an answer is its status and its body, whatever the status is") {
  canned good{{head, "abc"}};
  auto got = ask(rules_for(good.port));
  REQUIRE(got);
  CHECK(got->at == exchange_step::answered);
  CHECK(got->status == 200);
  CHECK(got->body == "abc");
  CHECK_FALSE(got->open);
  canned bad{{"HTTP/1.1 503 No\r\nContent-Length: 1\r\n\r\nx"}};
  CHECK(ask(rules_for(bad.port))->status == 503);
}

TEST_CASE("who is sent elsewhere does not go there") {
  accepting elsewhere;
  canned sender{{"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:"
                 + std::to_string(elsewhere.port)
                 + "/\r\nContent-Length: 0\r\n\r\n"}};
  auto got = ask(rules_for(sender.port));
  REQUIRE(got);
  CHECK(got->at == exchange_step::answered);
  CHECK(got->status == 302);
  pollfd who{elsewhere.fd, POLLIN, 0};
  CHECK(::poll(&who, 1, 100) == 0);
}

TEST_CASE("a question says what it was told to say") {
  canned them{{head, "abc"}};
  ask(rules_for(them.port), {.host = "them",
                             .target = "/x?y=1",
                             .body = "hello",
                             .accept = "text/plain",
                             .authorization = "Basic eA=="});
  auto heard = them.heard();
  CHECK(heard.rfind("POST /x?y=1 HTTP/1.1\r\n", 0) == 0);
  for (const auto* line :
       {"Host: them\r\n", "Content-Length: 5\r\n", "Accept: text/plain\r\n",
        "Authorization: Basic eA==\r\n", "Connection: close\r\n"})
    CHECK(heard.find(line) != std::string::npos);
}

TEST_CASE("where an exchange ended is told, and why") {
  refusing closed;
  auto got = ask(rules_for(closed.port));
  REQUIRE(got);
  CHECK(got->at == exchange_step::connecting);
  CHECK(got->why == boost::asio::error::connection_refused);
  canned mute{{}};
  got = ask(rules_for(mute.port));
  REQUIRE(got);
  CHECK(got->at == exchange_step::hearing);
  CHECK(got->why == beast::http::error::end_of_stream);
  canned cut{{head, "ab"}};
  CHECK(ask(rules_for(cut.port))->why == beast::http::error::partial_message);
}

TEST_CASE("the deadline is of all steps together") {
  black_hole nobody;
  accepting silent;
  canned slow{{"H", "T", "T", "P", "/", "1"}, millis{150}};
  for (auto port : {nobody.port, silent.port, slow.port}) {
    auto began = std::chrono::steady_clock::now();
    auto got = ask(rules_for(port, millis{300}));
    REQUIRE(got);
    CHECK(got->why == beast::error::timeout);
    CHECK(std::chrono::steady_clock::now() - began < seconds{3});
  }
}

TEST_CASE("an answer has a bound, and room is asked for while it grows") {
  canned large{{"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"}};
  CHECK(ask(rules_for(large.port))->why == beast::http::error::body_limit);
  canned endless{{"HTTP/1.0 200 OK\r\n\r\n" + std::string(100000, 'x')}};
  CHECK(ask(rules_for(endless.port))->why == beast::http::error::body_limit);
  canned wordy{{"HTTP/1.1 200 OK\r\nA: " + std::string(5000, 'a') + "\r\n"}};
  CHECK(ask(rules_for(wordy.port))->why == beast::http::error::header_limit);
  canned fair{
    {"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", std::string(900, 'x')}};
  auto rules = rules_for(fair.port);
  std::size_t most = 0;
  rules.room = [&](std::size_t bytes) {
    most = std::max(most, bytes);
    return true;
  };
  CHECK(ask(rules)->body.size() == 900);
  CHECK(most >= 900);
  canned again{
    {"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", std::string(900, 'x')}};
  rules = rules_for(again.port);
  rules.room = [](std::size_t) { return false; };
  CHECK(ask(rules)->why == boost::system::errc::not_enough_memory);
}

TEST_CASE("an exchange that was stopped tells nobody") {
  canned them{{head, "abc"}};
  boost::asio::io_context on{1};
  auto told = false;
  auto stop
    = exchange(std::make_shared<plain_way>(on), {.host = "them"},
               rules_for(them.port), [&](exchange_end) { told = true; });
  stop();
  on.run_for(seconds{5});
  CHECK_FALSE(told);
  CHECK(on.stopped()); // nothing of it is left
  stop();
}

} // namespace orderly::exchange_test
